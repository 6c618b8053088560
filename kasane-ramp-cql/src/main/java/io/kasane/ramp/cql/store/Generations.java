/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where the committed items of a collection are. They lie in generations, of which the first that
 * counts holds all that a sweep found live, and those before it hold what nobody reads any more.
 *
 * <p>A sweep takes two steps, each of which adds one to the stage, which never falls: the next
 * generation is open, so that commits go there; and it is the first, since what was live in the one
 * before it has been copied.
 *
 * @param stage twice the first generation that counts, and one more where the next one is open
 * @param horizon the highest timestamp of a deletion that a sweep left behind: what is no newer may
 *     be older than that, and is looked for by its name
 */
record Generations(int stage, Timestamp horizon) {
  /** Of a collection that was never swept. */
  static final Generations NONE = new Generations(0, Timestamp.NONE);

  /** Far beyond what there are days for; what comes after it is still a kind. */
  private static final int MAX_STAGE = 1 << 30;

  private static final int BYTES = Integer.BYTES + Timestamp.BYTES + Integer.BYTES;

  /** The first generation that counts. */
  int first() {
    return stage / 2;
  }

  /**
   * The last that may have anything: a replica may have the next stage, and be believed, before all
   * have it; a stage is not left before that.
   */
  int last() {
    return first() + 1;
  }

  /** Where commits go. */
  int open() {
    return (stage + 1) / 2;
  }

  /** Whether a sweep has taken its first step only. */
  boolean isOpening() {
    return open() > first();
  }

  /** After the first step of a sweep. */
  Generations opened() {
    return isOpening() ? this : new Generations(stage + 1, horizon);
  }

  /**
   * After the second step of a sweep.
   *
   * @param left the highest timestamp of a deletion that it left behind
   */
  Generations swept(Timestamp left) {
    return new Generations(stage + 1, left.isAfter(horizon) ? left : horizon);
  }

  /** What is read back by {@link #decode}; of two the later stage has the later write time. */
  Bytes encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(stage).put(horizon.toBytes().toBuffer());
    out.putInt(checksum(out.duplicate().flip()));
    return Bytes.copyOf(out.flip());
  }

  static Generations decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate();
    if (in.remaining() != BYTES) {
      throw damaged(in.remaining() + " bytes where " + BYTES + " belong");
    }
    ByteBuffer content = in.duplicate().limit(in.limit() - Integer.BYTES);
    int stage = in.getInt();
    Timestamp horizon = Timestamp.read(in.slice().limit(Timestamp.BYTES));
    if (stage < 0
        || stage > MAX_STAGE
        || in.getInt(in.limit() - Integer.BYTES) != checksum(content)) {
      throw damaged("their checksum, or their number, is none that a sweep writes");
    }
    return new Generations(stage, horizon);
  }

  private static StoreException damaged(String why) {
    return new StoreException(
        "The bytes that say where a collection's items are are damaged: "
            + why
            + ". Scrub and repair the table.",
        null);
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
