/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Versions as bytes: timestamp (16 bytes), format (1), mode and flags (1), siblings, value, CRC32C
 * (4) over all before it. All numbers are big-endian.
 *
 * <p>The timestamp comes first, so that of two versions with the same microsecond the store, which
 * orders by bytes, keeps the one that {@link Timestamp#compareTo} orders last. Equal versions give
 * equal bytes.
 */
public final class VersionCodec {
  private static final byte FORMAT = 2;
  private static final int FAST = 0;
  private static final int SMALL = 1;
  private static final int HYBRID = 2;
  private static final int MODE_MASK = 3;
  private static final int DELETION = 4;
  private static final int HEAD_BYTES = Timestamp.BYTES + 2;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private VersionCodec() {}

  /** The bytes of a version. */
  public static Bytes encode(Version version) {
    int valueBytes = version.value().map(Bytes::length).orElse(0);
    int total = HEAD_BYTES + siblingBytes(version.siblings()) + valueBytes + CHECKSUM_BYTES;
    ByteBuffer out = ByteBuffer.allocate(total);
    out.putLong(version.timestamp().micros()).putLong(version.timestamp().client());
    out.put(FORMAT).put(flags(version));
    SiblingCodec.encode(version.siblings(), out);
    version.value().ifPresent(value -> out.put(value.toBuffer()));
    out.putInt(checksum(out.duplicate().flip()));
    return Bytes.copyOf(out.flip());
  }

  /**
   * The version that these bytes are; the buffer's position stays. Takes no more memory than a
   * small multiple of the bytes, whatever they say.
   *
   * @throws CorruptVersionException if they are none
   */
  public static Version decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate();
    if (in.remaining() < HEAD_BYTES + CHECKSUM_BYTES) {
      throw new CorruptVersionException(
          in.remaining()
              + " bytes are no version: the shortest has "
              + (HEAD_BYTES + CHECKSUM_BYTES));
    }
    int end = in.limit() - CHECKSUM_BYTES;
    int stored = in.getInt(end);
    in.limit(end);
    int found = checksum(in.duplicate());
    if (stored != found) {
      throw new CorruptVersionException(
          String.format("CRC32C of a version is %08x, stored is %08x", found, stored));
    }
    Timestamp timestamp = Timestamp.read(in);
    byte format = in.get();
    if (format != FORMAT) {
      throw new CorruptVersionException(
          "version " + timestamp + " has format " + format + ", known is " + FORMAT);
    }
    return body(timestamp, in);
  }

  /** As {@link #decode(ByteBuffer)}. */
  public static Version decode(Bytes bytes) {
    return decode(bytes.toBuffer());
  }

  /** How many bytes of a version its siblings take. */
  public static int siblingBytes(Siblings siblings) {
    return SiblingCodec.size(siblings);
  }

  private static Version body(Timestamp timestamp, ByteBuffer in) {
    int flags = in.get();
    int code = flags & MODE_MASK;
    if ((flags & ~(MODE_MASK | DELETION)) != 0 || code > HYBRID) {
      throw new CorruptVersionException(
          String.format("version %s has unknown flags %02x", timestamp, flags & 0xFF));
    }
    Mode mode = code == FAST ? Mode.FAST : code == SMALL ? Mode.SMALL : Mode.HYBRID;
    Siblings siblings = SiblingCodec.decode(mode, in);
    if ((flags & DELETION) == 0) {
      return new Version(timestamp, siblings, Optional.of(Bytes.copyOf(in)));
    }
    if (in.hasRemaining()) {
      throw new CorruptVersionException(
          "deletion " + timestamp + " is followed by " + in.remaining() + " bytes");
    }
    return new Version(timestamp, siblings, Optional.empty());
  }

  private static byte flags(Version version) {
    int mode =
        switch (version.siblings().mode()) {
          case FAST -> FAST;
          case SMALL -> SMALL;
          case HYBRID -> HYBRID;
        };
    return (byte) (version.isDeletion() ? mode | DELETION : mode);
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
