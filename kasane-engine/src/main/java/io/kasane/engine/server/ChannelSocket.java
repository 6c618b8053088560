/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection with deadlines as a socket, with as much of a socket as clients of servers use. For
 * one thread.
 */
public final class ChannelSocket extends Socket {
  /** Whom it connects to, told of an address and how long that may take. */
  @FunctionalInterface
  private interface Opening {
    ServerChannel open(SocketAddress address, Duration most) throws IOException;
  }

  private final Opening opening;

  /** How long a call may take; null if the channel's owner says so. */
  private volatile Duration timeout = Duration.ofSeconds(10);

  private ServerChannel channel;
  private boolean closed;

  private ChannelSocket(Opening opening) {
    this.opening = opening;
  }

  /** Returns a socket that will connect to one of this machine, whatever address it is told. */
  public static ChannelSocket to(Path path) {
    return new ChannelSocket((address, most) -> ServerChannel.open(path));
  }

  /** Returns a socket that is not connected yet. */
  public static ChannelSocket unconnected() {
    return new ChannelSocket(ServerChannel::open);
  }

  /** Returns a socket over a channel, whose deadline stays the caller's to set. */
  static ChannelSocket over(ServerChannel channel) {
    ChannelSocket socket = new ChannelSocket((address, most) -> channel);
    socket.channel = channel;
    socket.timeout = null;
    return socket;
  }

  @Override
  public void connect(SocketAddress address, int timeoutMillis) throws IOException {
    channel = opening.open(address, ofMillis(timeoutMillis));
  }

  private static Duration ofMillis(int timeoutMillis) {
    return Duration.ofMillis(timeoutMillis == 0 ? Integer.MAX_VALUE : timeoutMillis);
  }

  private void begin() {
    if (timeout != null) {
      channel.within(timeout);
    }
  }

  @Override
  public boolean isConnected() {
    return channel != null;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void setSoTimeout(int timeoutMillis) {
    if (timeout != null) {
      timeout = ofMillis(timeoutMillis);
    }
  }

  @Override
  public synchronized int getSoTimeout() {
    return timeout == null ? 0 : (int) timeout.toMillis();
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        begin();
        return channel.read(ByteBuffer.wrap(bytes, from, length));
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        begin();
        channel.write(ByteBuffer.wrap(bytes, from, length));
      }
    };
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (channel != null) {
      channel.close();
    }
  }

  // ---- what such a socket has no use for

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public void setKeepAlive(boolean on) {}

  @Override
  public void setSoLinger(boolean on, int linger) {}

  @Override
  public void shutdownInput() {}

  @Override
  public void shutdownOutput() {}
}
