/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;

/**
 * The name of a transaction, and its place among all others: hybrid logical time, then the client.
 * Cassandra orders two writes of one cell by the first, and where that is equal by the bytes, which
 * begin with both: so the last write is the one with the highest timestamp.
 *
 * @param micros microseconds since 1970, ahead of the wall clock where something newer was seen
 * @param client which client it is of, random for each start of a process; compared unsigned
 */
public record Timestamp(long micros, long client) implements Comparable<Timestamp> {
  /** Before all transactions. */
  public static final Timestamp NONE = new Timestamp(0, 0);

  /** How many bytes it takes. */
  public static final int BYTES = 16;

  private static final long SEED_MICROS = 1;

  /** Times before 1970 are refused: their bytes would be ordered behind. */
  public Timestamp {
    if (micros < 0) {
      throw new IllegalArgumentException("a timestamp of " + micros + " us lies before 1970");
    }
  }

  /**
   * Below all transactions, of a value that was copied in from elsewhere.
   *
   * @param order of two such the one with the higher order is the later one; not negative
   */
  public static Timestamp ofSeed(long order) {
    if (order < 0) {
      throw new IllegalArgumentException(
          "order is " + order + ", the least is 0: take the microseconds since 1970 of the read");
    }
    return new Timestamp(SEED_MICROS, order);
  }

  /** Whether it is of {@link #ofSeed}. */
  public boolean isSeed() {
    return micros == SEED_MICROS;
  }

  /**
   * Takes the next {@link #BYTES} of a buffer.
   *
   * @throws CorruptVersionException if there are not so many, or they are no timestamp
   */
  public static Timestamp read(ByteBuffer in) {
    if (in.remaining() < BYTES) {
      throw new CorruptVersionException(in.remaining() + " bytes are no timestamp of " + BYTES);
    }
    long micros = in.getLong();
    long client = in.getLong();
    if (micros < 0) {
      throw new CorruptVersionException("a timestamp of " + micros + " us lies before 1970");
    }
    return new Timestamp(micros, client);
  }

  /** {@link #BYTES} bytes, big-endian, which unsigned are ordered as the timestamps are. */
  public Bytes toBytes() {
    return Bytes.copyOf(ByteBuffer.allocate(BYTES).putLong(micros).putLong(client).flip());
  }

  @Override
  public int compareTo(Timestamp other) {
    int byTime = Long.compare(micros, other.micros);
    return byTime != 0 ? byTime : Long.compareUnsigned(client, other.client);
  }

  /** Whether it lies behind the other one. */
  public boolean isAfter(Timestamp other) {
    return compareTo(other) > 0;
  }

  /** The later one. */
  public Timestamp max(Timestamp other) {
    return isAfter(other) ? this : other;
  }

  @Override
  public String toString() {
    return micros + "." + Long.toHexString(client);
  }
}
