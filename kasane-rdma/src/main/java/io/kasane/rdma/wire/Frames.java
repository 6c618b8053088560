/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaToken;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What client and server say to each other on a connection of one table; numbers are big-endian.
 *
 * <pre>
 * client  magic 8, which says how it wants to be served; token's length 2, token
 * server  0 or 1 where it refuses 1, message's length 2, message
 * server  for OpenUCX: connection 8, address's length 4, address; for memory {@link MemoryFrames}; and nothing more, here
 * client  length of what follows 4, id 8, number of keys 2, each: length 2, key
 * server  length of what follows 4, id 8, number of answers 2, each: 0 hit, 1 miss, 2 torn, 3 silent 1, and of a hit: its slot's way 1, length 4, body
 * </pre>
 *
 * Answers come in the order of requests. Whatever comes, no more memory is taken than the bounds
 * below.
 */
public final class Frames {
  /** The most keys of one request. */
  public static final int MAX_KEYS = 1_024;

  /** The longest key. */
  public static final int MAX_KEY_BYTES = 0xFFFF;

  /** The longest request. */
  public static final int MAX_REQUEST_BYTES = 1 << 20;

  /** The longest answer: what does not fit is left to be asked elsewhere. */
  public static final int MAX_REPLY_BYTES = 8 << 20;

  /** Where the id of a request or reply is, in a frame. */
  public static final int ID_AT = Integer.BYTES;

  private static final int MAX_ADDRESS_BYTES = 1 << 14;
  private static final int HEAD_BYTES = Long.BYTES + Short.BYTES;
  private static final int HIT_BYTES = Byte.BYTES + Integer.BYTES;
  private static final int MAX_MESSAGE_BYTES = 1_024;

  /** Keys that somebody wants. */
  public record Request(long id, List<ArenaKey> keys) {}

  /** What was found of each, in their order. */
  public record Reply(long id, List<Answer> answers) {}

  private Frames() {}

  // ---- the beginning

  /** What a client begins with. */
  public record Hello(String token, Service wanted) {}

  /**
   * Where a client that wants OpenUCX is answered.
   *
   * @param connection what it shows there
   */
  @SuppressWarnings("ArrayRecordComponent") // once a connection, never compared
  public record UcxAddress(long connection, byte[] address) {}

  /** Shows a token. */
  public static void writeHello(DataOutputStream out, Hello hello) throws IOException {
    byte[] bytes = hello.token().getBytes(UTF_8);
    out.writeLong(hello.wanted().magic());
    out.writeShort(bytes.length);
    out.write(bytes);
    out.flush();
  }

  /** Returns what a client shows. */
  public static Hello readHello(DataInputStream in) throws IOException {
    Service wanted =
        Service.of(in.readLong())
            .orElseThrow(() -> new MalformedFrameException("this is no client of arenas"));
    int length = in.readUnsignedShort();
    if (length > ArenaToken.MAX_LENGTH) {
      throw new MalformedFrameException("a token of " + length + " bytes");
    }
    return new Hello(new String(in.readNBytes(length), UTF_8), wanted);
  }

  /** Tells a client that was admitted where it is answered. */
  public static void writeUcxAddress(DataOutputStream out, UcxAddress address) throws IOException {
    out.writeLong(address.connection());
    out.writeInt(address.address().length);
    out.write(address.address());
    out.flush();
  }

  /** Returns where it is answered. */
  public static UcxAddress readUcxAddress(DataInputStream in) throws IOException {
    long connection = in.readLong();
    int length = in.readInt();
    if (length < 1 || length > MAX_ADDRESS_BYTES) {
      throw new MalformedFrameException("an address of " + length + " bytes");
    }
    byte[] address = in.readNBytes(length);
    if (address.length < length) {
      throw new MalformedFrameException("the connection ended in an address");
    }
    return new UcxAddress(connection, address);
  }

  /** Admits a client, or tells it why not: an empty message admits. */
  public static void writeWelcome(DataOutputStream out, String refusal) throws IOException {
    byte[] bytes = refusal.getBytes(UTF_8);
    int length = Math.min(MAX_MESSAGE_BYTES, bytes.length);
    out.writeByte(length == 0 ? 0 : 1);
    out.writeShort(length);
    out.write(bytes, 0, length);
    out.flush();
  }

  /** Returns why the server refuses; empty if it does not. */
  public static String readWelcome(DataInputStream in) throws IOException {
    boolean isRefused = in.readByte() != 0;
    int length = in.readUnsignedShort();
    if (length > MAX_MESSAGE_BYTES) {
      throw new MalformedFrameException("a message of " + length + " bytes");
    }
    String message = new String(in.readNBytes(length), UTF_8);
    return isRefused && message.isEmpty() ? "no reason was given" : message;
  }

  // ---- requests

  /**
   * Asks for keys; to be flushed.
   *
   * @throws IllegalArgumentException if they do not fit into one request
   */
  public static void writeRequest(DataOutputStream out, Request request) throws IOException {
    int bytes = HEAD_BYTES;
    for (ArenaKey key : request.keys()) {
      if (key.length() > MAX_KEY_BYTES) {
        throw new IllegalArgumentException("a key of " + key.length() + " bytes");
      }
      bytes += Short.BYTES + key.length();
    }
    if (request.keys().size() > MAX_KEYS || bytes > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(request.keys().size() + " keys of " + bytes + " bytes");
    }
    out.writeInt(bytes);
    out.writeLong(request.id());
    out.writeShort(request.keys().size());
    for (ArenaKey key : request.keys()) {
      out.writeShort(key.length());
      out.write(key.toBytes());
    }
  }

  /** Returns what is asked next. */
  public static Request readRequest(DataInputStream in) throws IOException {
    ByteBuffer frame = readFrame(in, MAX_REQUEST_BYTES);
    long id = frame.getLong();
    int count = frame.getShort() & 0xFFFF;
    if (count > MAX_KEYS) {
      throw new MalformedFrameException(count + " keys");
    }
    List<ArenaKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      require(frame, Short.BYTES);
      byte[] key = new byte[require(frame, frame.getShort() & 0xFFFF)];
      frame.get(key);
      keys.add(ArenaKey.ofBytes(key));
    }
    requireEnd(frame);
    return new Request(id, Collections.unmodifiableList(keys));
  }

  // ---- replies

  /** Answers; to be flushed. What would make it too long is left out, as if it had no slot. */
  public static void writeReply(DataOutputStream out, Reply reply) throws IOException {
    int bytes = HEAD_BYTES + reply.answers().size();
    boolean[] isSent = new boolean[reply.answers().size()];
    for (int i = 0; i < isSent.length; i++) {
      Answer answer = reply.answers().get(i);
      if (answer.outcome() == Outcome.HIT) {
        int more = HIT_BYTES + answer.body().remaining();
        isSent[i] = bytes + more <= MAX_REPLY_BYTES;
        bytes += isSent[i] ? more : 0;
      }
    }
    out.writeInt(bytes);
    out.writeLong(reply.id());
    out.writeShort(isSent.length);
    for (int i = 0; i < isSent.length; i++) {
      Answer answer = reply.answers().get(i);
      boolean isLeftOut = answer.outcome() == Outcome.HIT && !isSent[i];
      out.writeByte(codeOf(isLeftOut ? Outcome.MISS : answer.outcome()));
      if (isSent[i]) {
        byte[] body = new byte[answer.body().remaining()];
        answer.body().duplicate().get(body);
        out.writeByte(answer.way());
        out.writeInt(body.length);
        out.write(body);
      }
    }
  }

  /** Returns the next answer. */
  public static Reply readReply(DataInputStream in) throws IOException {
    ByteBuffer frame = readFrame(in, MAX_REPLY_BYTES);
    long id = frame.getLong();
    int count = frame.getShort() & 0xFFFF;
    if (count > MAX_KEYS) {
      throw new MalformedFrameException(count + " answers");
    }
    List<Answer> answers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      require(frame, Byte.BYTES);
      Outcome outcome = outcomeOf(frame.get());
      if (outcome != Outcome.HIT) {
        answers.add(new Answer(outcome, null));
        continue;
      }
      require(frame, HIT_BYTES);
      int way = frame.get();
      byte[] body = new byte[require(frame, frame.getInt())];
      frame.get(body);
      answers.add(new Answer(Outcome.HIT, ByteBuffer.wrap(body), way));
    }
    requireEnd(frame);
    return new Reply(id, Collections.unmodifiableList(answers));
  }

  private static int codeOf(Outcome outcome) {
    return switch (outcome) {
      case HIT -> 0;
      case MISS -> 1;
      case TORN -> 2;
      case SILENT -> 3;
    };
  }

  private static Outcome outcomeOf(int code) throws MalformedFrameException {
    return switch (code) {
      case 0 -> Outcome.HIT;
      case 1 -> Outcome.MISS;
      case 2 -> Outcome.TORN;
      case 3 -> Outcome.SILENT;
      default -> throw new MalformedFrameException("outcome " + code);
    };
  }

  // ---- both

  private static ByteBuffer readFrame(DataInputStream in, int most) throws IOException {
    int bytes = in.readInt();
    if (bytes < HEAD_BYTES || bytes > most) {
      throw new MalformedFrameException("a frame of " + bytes + " bytes");
    }
    byte[] frame = in.readNBytes(bytes); // takes memory as bytes come
    if (frame.length < bytes) {
      throw new MalformedFrameException("the connection ended in a frame");
    }
    return ByteBuffer.wrap(frame);
  }

  private static int require(ByteBuffer frame, int bytes) throws MalformedFrameException {
    if (bytes < 0 || bytes > frame.remaining()) {
      throw new MalformedFrameException(bytes + " bytes, and the frame has " + frame.remaining());
    }
    return bytes;
  }

  private static void requireEnd(ByteBuffer frame) throws MalformedFrameException {
    if (frame.hasRemaining()) {
      throw new MalformedFrameException(frame.remaining() + " bytes too many");
    }
  }
}
