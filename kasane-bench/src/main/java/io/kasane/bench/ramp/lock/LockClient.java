/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A client's connection to the lock server. One thread asks and waits for grants; any thread may
 * release.
 */
public final class LockClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final long leaseNanos;
  private long lastId;

  /**
   * Connects.
   *
   * @param lease the server's
   */
  public LockClient(InetSocketAddress server, Duration lease) throws IOException {
    this.socket = new Socket(server.getAddress(), server.getPort());
    // The server began to count when it granted, a little before the client heard of it.
    this.leaseNanos = lease.toNanos() * 9 / 10;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = Frames.output(socket);
  }

  /**
   * Asks for keys without waiting for them.
   *
   * @param keys ascending, each once
   * @return the request's number
   */
  public long request(boolean exclusive, long... keys) throws IOException {
    long id = ++lastId;
    synchronized (out) {
      Frames.writeRequest(out, id, exclusive, keys);
    }
    return id;
  }

  /**
   * Waits for the next grant of those that were asked for, in whatever order they come.
   *
   * @return the request's number
   * @throws IOException if none comes in time, or the server is gone; the connection is of no more
   *     use then
   */
  public long awaitGrant() throws IOException {
    while (true) {
      int what = in.readUnsignedByte();
      long id = in.readLong();
      // A lease that ended while nobody was waiting was already noticed by whoever held it.
      if (what == LockServer.GRANTED) {
        return id;
      }
    }
  }

  /** Asks for keys and waits until all are this client's. */
  public Lease lock(boolean exclusive, long... keys) throws IOException {
    long id = request(exclusive, keys);
    while (awaitGrant() != id) {
      // A grant that an earlier, failed transaction no longer waits for.
    }
    return new Lease(id, System.nanoTime() + leaseNanos);
  }

  /** Gives keys back; does not wait. */
  public void release(long id) throws IOException {
    synchronized (out) {
      out.writeByte(LockServer.RELEASE);
      out.writeLong(id);
      out.flush();
    }
  }

  /**
   * Keys that are held for a while.
   *
   * @param id of the request
   * @param endNanos when they may be somebody else's, on this client's clock
   */
  public record Lease(long id, long endNanos) {
    /** Whether the keys may be somebody else's by now. */
    public boolean isOver() {
      return System.nanoTime() - endNanos >= 0;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
