/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a socket of a server on this machine, on which nothing waits for longer than a
 * deadline: after a call that failed it is of no use. For one thread.
 */
public final class LocalChannel implements AutoCloseable {
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey ready;
  private Duration most = Duration.ofSeconds(10);
  private long deadlineNanos;

  private LocalChannel(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.ready = channel.register(selector, SelectionKey.OP_READ);
    within(most);
  }

  /** Connects, and does not wait: a server that is stopped accepts nobody. */
  public static LocalChannel open(Path socket) throws IOException {
    SocketAddress address = UnixDomainSocketAddress.of(socket);
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      if (!channel.connect(address)) {
        throw new IOException("the server does not accept connections");
      }
      selector = Selector.open();
      return new LocalChannel(channel, selector);
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  /** Sets what all that follows may take together, until this is called again. */
  public void within(Duration duration) {
    most = duration;
    deadlineNanos = System.nanoTime() + duration.toNanos();
  }

  /** Waits for one byte at least, and returns how many were read; -1 if there are no more. */
  public int read(ByteBuffer in) throws IOException {
    int read = channel.read(in);
    while (read == 0 && in.hasRemaining()) {
      await(SelectionKey.OP_READ);
      read = channel.read(in);
    }
    return read;
  }

  /** Waits until all is handed over. */
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
