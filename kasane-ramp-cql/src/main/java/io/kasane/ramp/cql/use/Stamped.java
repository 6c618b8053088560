/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.version.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.UUID;

/**
 * A row, or the key of an entry that was written with it. The stamp is drawn anew for each update
 * of a row, so an entry is never written twice: whoever deletes one that is out of date cannot hit
 * one that was written since. Seeds are the exception.
 *
 * <pre>
 * bytes   value ... | 16 bytes stamp
 * </pre>
 */
record Stamped<T>(UUID stamp, T value) {
  private static final int STAMP_BYTES = 2 * Long.BYTES;

  Stamped {
    Objects.requireNonNull(stamp);
    Objects.requireNonNull(value);
  }

  static <T> Stamped<T> fresh(T value) {
    return new Stamped<>(UUID.randomUUID(), value);
  }

  /** For its bytes only. */
  static <T> Stamped<T> unstamped(T value) {
    return new Stamped<>(new UUID(0, 0), value);
  }

  /**
   * A row that was copied in from elsewhere, and may be again: the same stamp for the same bytes,
   * so that the entries of the first copy are those of the second.
   */
  static <T> Stamped<T> byContent(Bytes content, T value) {
    try {
      ByteBuffer hash =
          ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(content.toArray()));
      return new Stamped<>(new UUID(hash.getLong(), hash.getLong()), value);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The stamp comes last, so that entries are ordered by key. */
  static <T> RampCodec<Stamped<T>> codec(RampCodec<T> values) {
    return RampCodec.of(
        stamped -> {
          Bytes value = values.encode(stamped.value);
          return Bytes.copyOf(
              ByteBuffer.allocate(value.length() + STAMP_BYTES)
                  .put(value.toBuffer())
                  .putLong(stamped.stamp.getMostSignificantBits())
                  .putLong(stamped.stamp.getLeastSignificantBits())
                  .flip());
        },
        bytes -> {
          ByteBuffer in = bytes.toBuffer();
          int length = in.remaining() - STAMP_BYTES;
          if (length < 0) {
            throw new IllegalArgumentException(
                bytes
                    + " has no stamp of "
                    + STAMP_BYTES
                    + " bytes: was it written without the class that keeps its entries?");
          }
          UUID stamp = new UUID(in.getLong(length), in.getLong(length + Long.BYTES));
          return new Stamped<>(stamp, values.decode(Bytes.copyOf(in.slice(0, length))));
        });
  }
}
