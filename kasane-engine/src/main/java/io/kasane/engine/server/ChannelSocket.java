/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.LocalChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** A socket of this machine, with as much of a socket as the client uses. For one thread. */
final class LocalSocket extends Socket {
  private final Path path;
  private volatile Duration timeout = Duration.ofSeconds(10);
  private LocalChannel channel;
  private boolean closed;

  LocalSocket(Path path) {
    this.path = path;
  }

  @Override
  public void connect(SocketAddress ignored, int timeoutMillis) throws IOException {
    channel = LocalChannel.open(path);
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
    timeout = Duration.ofMillis(timeoutMillis == 0 ? Integer.MAX_VALUE : timeoutMillis);
  }

  @Override
  public synchronized int getSoTimeout() {
    return (int) timeout.toMillis();
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
        channel.within(timeout);
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
        channel.within(timeout);
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
