/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.version.Bytes;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Codecs for common types. Their bytes are those of CQL's types of that name, so that {@code
 * blobAsText}, {@code blobAsInt} and so on show them in cqlsh.
 */
public final class Codecs {
  private static final RampCodec<String> TEXT = RampCodec.of(Bytes::utf8, Bytes::toUtf8);
  private static final RampCodec<Integer> INT =
      RampCodec.of(
          value -> Bytes.copyOf(ByteBuffer.allocate(Integer.BYTES).putInt(value).flip()),
          bytes -> exactly(bytes, Integer.BYTES, "int").getInt());
  private static final RampCodec<Long> BIGINT =
      RampCodec.of(
          value -> Bytes.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(value).flip()),
          bytes -> exactly(bytes, Long.BYTES, "bigint").getLong());
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

  /** Text in UTF-8. */
  public static RampCodec<String> text() {
    return TEXT;
  }

  /** Whole numbers of 32 bits, big-endian. */
  public static RampCodec<Integer> int32() {
    return INT;
  }

  /** Whole numbers of 64 bits, big-endian. */
  public static RampCodec<Long> int64() {
    return BIGINT;
  }

  /** UUIDs, their 16 bytes. */
  public static RampCodec<UUID> uuid() {
    return ID;
  }

  /** Bytes as they are. */
  public static RampCodec<Bytes> blob() {
    return BLOB;
  }

  private static ByteBuffer exactly(Bytes bytes, int length, String type) {
    if (bytes.length() != length) {
      throw new IllegalArgumentException(
          bytes + " is no " + type + ": it has " + bytes.length() + " bytes, not " + length);
    }
    return bytes.toBuffer();
  }
}
