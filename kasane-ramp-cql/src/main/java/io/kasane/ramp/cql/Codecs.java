/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.ramp.version.Bytes;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Codecs for common types. Their bytes are those of CQL's types of that name, so that {@code
 * blobAsText}, {@code blobAsInt} and so on show them in cqlsh.
 */
public final class Codecs {
  private static final RampCodec<String> TEXT = RampCodec.of(Codecs::utf8, Codecs::text);
  private static final RampCodec<Integer> INT =
      RampCodec.of(
          value -> Bytes.copyOf(ByteBuffer.allocate(Integer.BYTES).putInt(value).flip()),
          bytes -> exactly(bytes, Integer.BYTES, "int").getInt());
  private static final RampCodec<Long> BIGINT =
      RampCodec.of(
          value -> Bytes.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(value).flip()),
          bytes -> exactly(bytes, Long.BYTES, "bigint").getLong());
  private static final RampCodec<Long> ORDERED =
      RampCodec.of(
          value -> BIGINT.encode(value ^ Long.MIN_VALUE),
          bytes -> BIGINT.decode(bytes) ^ Long.MIN_VALUE);
  private static final RampCodec<UUID> ID =
      RampCodec.of(
          value ->
              Bytes.copyOf(
                  ByteBuffer.allocate(2 * Long.BYTES)
                      .putLong(value.getMostSignificantBits())
                      .putLong(value.getLeastSignificantBits())
                      .flip()),
          bytes -> {
            ByteBuffer in = exactly(bytes, 2 * Long.BYTES, "uuid");
            return new UUID(in.getLong(), in.getLong());
          });
  private static final RampCodec<Bytes> BLOB = RampCodec.of(value -> value, bytes -> bytes);

  private Codecs() {}

  /**
   * Text in UTF-8. Half of a surrogate pair is refused: it has no bytes of its own, so two texts
   * would be one key.
   */
  public static RampCodec<String> text() {
    return TEXT;
  }

  /** Whole numbers of 32 bits, big-endian: as items, those below zero come last. */
  public static RampCodec<Integer> int32() {
    return INT;
  }

  /** Whole numbers of 64 bits, big-endian: as items, those below zero come last. */
  public static RampCodec<Long> int64() {
    return BIGINT;
  }

  /**
   * Whole numbers of 64 bits, ordered as numbers are: big-endian with the sign turned around. For
   * items of which ranges are read; cqlsh does not show them as numbers.
   */
  public static RampCodec<Long> ordered64() {
    return ORDERED;
  }

  /** UUIDs, their 16 bytes. */
  public static RampCodec<UUID> uuid() {
    return ID;
  }

  /** Bytes as they are. */
  public static RampCodec<Bytes> blob() {
    return BLOB;
  }

  /**
   * Records as JSON, which {@code blobAsText} shows in cqlsh. A component that what was written has
   * not is null, and refused where it is a primitive; one that the record has not is refused, since
   * who writes it back would lose it. Equal records give equal bytes, so they may be keys.
   */
  public static <T extends Record> RampCodec<T> json(Class<T> type) {
    return json(JsonCodec.RECORDS, type);
  }

  /** As {@link #json(Class)}, of any type and as the application's mapper has it. */
  public static <T> RampCodec<T> json(ObjectMapper mapper, Class<T> type) {
    return new JsonCodec<>(mapper, type);
  }

  private static Bytes utf8(String text) {
    try {
      return Bytes.copyOf(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "a text of "
              + text.length()
              + " characters has half of a surrogate pair, which UTF-8 cannot say; cut texts"
              + " between code points, or use Codecs.blob()",
          e);
    }
  }

  private static String text(Bytes bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.toBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(bytes + " is no text in UTF-8", e);
    }
  }

  private static ByteBuffer exactly(Bytes bytes, int length, String type) {
    if (bytes.length() != length) {
      throw new IllegalArgumentException(
          bytes + " is no " + type + ": it has " + bytes.length() + " bytes, not " + length);
    }
    return bytes.toBuffer();
  }
}
