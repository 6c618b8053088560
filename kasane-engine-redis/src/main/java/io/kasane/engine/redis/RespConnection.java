/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a Redis server, which answers what it is sent in order (RESP 2). No call waits
 * longer than its deadline; after one that failed the connection is of no use. For one thread.
 */
final class RespConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] LINE_END = {'\r', '\n'};

  /** What the server says instead of an answer: {@code OOM command not allowed ...}. */
  record Refusal(String message) {}

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey ready;
  private final Duration maxCall;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
  private long deadlineNanos;

  private RespConnection(SocketChannel channel, Selector selector, Duration maxCall)
      throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.maxCall = maxCall;
    this.ready = channel.register(selector, SelectionKey.OP_READ);
  }

  /**
   * Connects to the socket of a server on this machine.
   *
   * @param maxCall how long a call may take
   */
  static RespConnection open(Path socket, Duration maxCall) throws IOException {
    SocketAddress address = UnixDomainSocketAddress.of(socket);
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Selector selector = null;
    try {
      channel.configureBlocking(false); // a server that is stopped accepts nobody
      if (!channel.connect(address)) {
        throw new IOException("the server does not accept connections");
      }
      selector = Selector.open();
      return new RespConnection(channel, selector, maxCall);
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  /** Sends one command, and returns its answer: byte[], Long, String, List, Refusal or null. */
  Object call(byte[]... command) throws IOException {
    return callAll(List.<byte[][]>of(command)).get(0);
  }

  /** Sends all commands at once, and returns their answers. */
  List<Object> callAll(List<byte[][]> commands) throws IOException {
    deadlineNanos = System.nanoTime() + maxCall.toNanos();
    for (byte[][] command : commands) {
      write(command);
    }
    flush();
    List<Object> answers = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      answers.add(read());
    }
    return answers;
  }

  // ---- out

  private void write(byte[][] command) throws IOException {
    put(("*" + command.length + "\r\n").getBytes(UTF_8));
    for (byte[] word : command) {
      put(("$" + word.length + "\r\n").getBytes(UTF_8));
      put(word);
      put(LINE_END);
    }
  }

  private void put(byte[] bytes) throws IOException {
    for (int from = 0; from < bytes.length; ) {
      int part = Math.min(out.remaining(), bytes.length - from);
      out.put(bytes, from, part);
      from += part;
      if (!out.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      if (channel.write(out) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
    out.clear();
  }

  // ---- in

  private Object read() throws IOException {
    int kind = next();
    String line = line();
    switch (kind) {
      case '+':
        return line;
      case '-':
        return new Refusal(line);
      case ':':
        return Long.parseLong(line);
      case '$':
        return bulk(Integer.parseInt(line));
      case '*':
        return array(Integer.parseInt(line));
      default:
        throw new IOException("the server does not speak Redis's protocol: " + (char) kind + line);
    }
  }

  private byte[] bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    int filled = 0;
    while (filled < length) {
      fill();
      int part = Math.min(in.remaining(), length - filled);
      in.get(bytes, filled, part);
      filled += part;
    }
    next();
    next();
    return bytes;
  }

  private List<Object> array(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<Object> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = next(); c != '\r'; c = next()) {
      line.append((char) c);
    }
    next();
    return line.toString();
  }

  private int next() throws IOException {
    fill();
    return in.get() & 0xff;
  }

  /** Waits until there is something to take. */
  private void fill() throws IOException {
    if (in.hasRemaining()) {
      return;
    }
    in.clear();
    int read = channel.read(in);
    while (read == 0) {
      await(SelectionKey.OP_READ);
      read = channel.read(in);
    }
    in.flip();
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
  }

  private void await(int operation) throws IOException {
    ready.interestOps(operation);
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    if (leftMillis <= 0) {
      throw new SocketTimeoutException(
          "the server did not answer in " + maxCall.toMillis() + " ms");
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
