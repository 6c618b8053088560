/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Grants locks to whoever connects on the loopback address. A request names all its keys at once
 * and is answered once all are its own; a release is not answered. A connection that ends gives
 * everything back, and so does a lease that ends.
 *
 * <pre>
 * client: 1 id exclusive n key*n     server: 3 id   all keys are yours
 *         2 id                               4 id   your lease is over
 * </pre>
 */
public final class LockServer implements AutoCloseable {
  static final int ACQUIRE = 1;
  static final int RELEASE = 2;
  static final int GRANTED = 3;
  static final int EXPIRED = 4;

  private static final long LOOK_MILLIS = 100;

  private final ServerSocket socket;
  private final Duration lease;
  private final LockTable table;
  private final Map<LockRequest, Connection> owners = new ConcurrentHashMap<>();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private LockServer(Duration lease) throws IOException {
    this.lease = lease;
    this.table = new LockTable(lease.toNanos(), System::nanoTime);
    this.socket = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
  }

  /**
   * Starts a server on a free port.
   *
   * @param lease how long a client keeps locks that it does not release
   */
  public static LockServer start(Duration lease) throws IOException {
    LockServer server = new LockServer(lease);
    daemon(server::accept, "lock-server");
    daemon(server::expire, "lock-leases");
    return server;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /** How long a client keeps locks that it does not release. */
  public Duration lease() {
    return lease;
  }

  /** How many keys somebody has or waits for. */
  int keysInUse() {
    return table.size();
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (!closed) {
        Connection connection = new Connection(socket.accept());
        connections.add(connection);
        daemon(connection, "lock-client");
      }
    } catch (IOException e) {
      if (!closed) {
        throw new IllegalStateException("the lock server no longer listens", e);
      }
    }
  }

  private void expire() {
    while (!closed) {
      List<LockRequest> expired = new ArrayList<>();
      List<LockRequest> ready = table.expire(expired);
      for (LockRequest request : expired) {
        Connection owner = owners.remove(request);
        if (owner != null) {
          owner.tell(EXPIRED, request);
        }
      }
      grant(ready);
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void grant(List<LockRequest> ready) {
    for (LockRequest request : ready) {
      Connection owner = owners.get(request);
      if (owner != null) {
        owner.tell(GRANTED, request);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    socket.close();
    for (Connection connection : connections) {
      connection.socket.close();
    }
  }

  /** One client; its thread reads, any thread writes. */
  private final class Connection implements Runnable {
    private final Socket socket;
    private final DataOutputStream out;
    private final Map<Long, LockRequest> open = new HashMap<>();

    Connection(Socket socket) throws IOException {
      this.socket = socket;
      socket.setTcpNoDelay(true);
      this.out = Frames.output(socket);
    }

    @Override
    public void run() {
      try (socket) {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        while (true) {
          int operation = in.readUnsignedByte();
          long id = in.readLong();
          if (operation == ACQUIRE) {
            acquire(Frames.request(id, in));
          } else {
            release(id);
          }
        }
      } catch (EOFException e) {
        // The client is done.
      } catch (IOException | IllegalArgumentException e) {
        if (!closed) {
          System.err.println("kasane: a lock client is cut off: " + e);
        }
      } finally {
        connections.remove(this);
        List.copyOf(open.keySet()).forEach(this::release);
      }
    }

    private void acquire(LockRequest request) {
      open.put(request.id, request);
      owners.put(request, this);
      grant(table.acquire(request));
    }

    private void release(long id) {
      LockRequest request = open.remove(id);
      if (request != null) {
        owners.remove(request);
        grant(table.release(request));
      }
    }

    void tell(int what, LockRequest request) {
      try {
        synchronized (out) {
          out.writeByte(what);
          out.writeLong(request.id);
          out.flush();
        }
      } catch (IOException e) {
        // It is gone: its own thread sees that and gives everything back.
      }
    }
  }
}
