/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.server.ServerChannel;
import io.kasane.engine.server.TimedChannel;
import io.kasane.engine.server.TlsChannel;
import io.kasane.engine.spi.EngineServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection to a Redis server, which answers what it is sent in order (RESP 2). No call waits
 * longer than its deadline; after one that failed the connection is of no use. For one thread.
 */
final class RespConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] LINE_END = {'\r', '\n'};

  /** What the server says instead of an answer: {@code OOM command not allowed ...}. */
  record Refusal(String message) {}

  private final TimedChannel channel;
  private final Duration maxCall;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);

  private RespConnection(TimedChannel channel, Duration maxCall) {
    this.channel = channel;
    this.maxCall = maxCall;
  }

  /**
   * Connects to the socket of a server on this machine.
   *
   * @param maxCall how long a call may take
   */
  static RespConnection open(Path socket, Duration maxCall) throws IOException {
    return new RespConnection(ServerChannel.open(socket), maxCall);
  }

  /** The same to the port of an operator's server. */
  static RespConnection open(EngineServer server, Duration maxCall) throws IOException {
    return new RespConnection(
        server.isEncrypted()
            ? TlsChannel.open(server.host(), server.port(), server.certificates(), maxCall)
            : ServerChannel.open(new InetSocketAddress(server.host(), server.port()), maxCall),
        maxCall);
  }

  /** Sends one command, and returns its answer: byte[], Long, String, List, Refusal or null. */
  Object call(byte[]... command) throws IOException {
    return callAll(List.<byte[][]>of(command)).get(0);
  }

  /** Sends all commands at once, and returns their answers. */
  List<Object> callAll(List<byte[][]> commands) throws IOException {
    channel.within(maxCall);
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
    channel.write(out);
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
    in.flip();
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
