/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a server, by a socket of this machine or a network, on which nothing waits for
 * longer than a deadline: after a call that failed it is of no use. For one thread.
 */
public final class ServerChannel implements TimedChannel {
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey ready;
  private Duration most = Duration.ofSeconds(10);
  private long deadlineNanos;

  private ServerChannel(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.ready = channel.register(selector, SelectionKey.OP_READ);
    within(most);
  }

  /**
   * Connects to a socket of this machine, and does not wait: a server that is stopped accepts
   * nobody.
   */
  public static ServerChannel open(Path socket) throws IOException {
    return open(
        SocketChannel.open(StandardProtocolFamily.UNIX),
        UnixDomainSocketAddress.of(socket),
        Duration.ZERO);
  }

  /**
   * Connects to a port.
   *
   * @param most how long that, and a call from then on, may take
   */
  public static ServerChannel open(SocketAddress address, Duration most) throws IOException {
    if (address instanceof InetSocketAddress named && named.isUnresolved()) {
      throw new UnknownHostException(named.getHostString());
    }
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    return open(channel, address, most);
  }

  private static ServerChannel open(SocketChannel channel, SocketAddress address, Duration most)
      throws IOException {
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      boolean isConnected = channel.connect(address);
      if (!isConnected && most.isZero()) {
        throw new IOException("the server does not accept connections");
      }
      selector = Selector.open();
      ServerChannel opened = new ServerChannel(channel, selector);
      if (!isConnected) {
        opened.within(most);
        while (!channel.finishConnect()) {
          opened.await(SelectionKey.OP_CONNECT);
        }
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  @Override
  public void within(Duration duration) {
    most = duration;
    deadlineNanos = System.nanoTime() + duration.toNanos();
  }

  @Override
  public int read(ByteBuffer in) throws IOException {
    int read = channel.read(in);
    while (read == 0 && in.hasRemaining()) {
      await(SelectionKey.OP_READ);
      read = channel.read(in);
    }
    return read;
  }

  @Override
  public void write(ByteBuffer out) throws IOException {
    while (out.hasRemaining()) {
      if (channel.write(out) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
  }

  private void await(int operation) throws IOException {
    ready.interestOps(operation);
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    if (leftMillis <= 0) {
      throw new SocketTimeoutException("the server did not answer in " + most.toMillis() + " ms");
    }
    selector.select(leftMillis);
    selector.selectedKeys().clear();
    if (Thread.currentThread().isInterrupted()) {
      throw new IOException("interrupted while the server was waited for");
    }
  }

  @Override
  public void close() {
    try (selector;
        channel) {
      ready.cancel();
    } catch (IOException e) {
      // Nothing is left to be sent that anybody waits for.
    }
  }
}
