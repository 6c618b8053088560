/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import io.kasane.arena.ArenaKey;
import io.kasane.ramp.version.Timestamp;
import java.nio.ByteBuffer;

/**
 * What clients and servers say to each other. A request is an operation (1), the number of keys
 * (2), and of each key its bytes and what follows; a reply has an answer for each, in their order.
 * Numbers are big-endian; bytes come after their length (4), which is -1 where there are none.
 *
 * <pre>
 * GET          key                     version
 * CANDIDATES   key, n 2, timestamp*n   committed version, n 2, (timestamp, version)*n
 * PREPARE      key, version            -
 * COMMIT       key, timestamp          1 where that version is not prepared 1
 * WRITE        key, version            -
 * LOCK         key                     version; the operation is followed by 1 for exclusive locks 1
 * UNLOCK       key, version            -; writes, and gives all locks of this client back
 * DROP         key, timestamp          -
 * PURGE        key, timestamp          -
 * BUSY         -                       nanoseconds that requests took 8
 * </pre>
 */
public final class Wire {
  /** Committed versions. */
  public static final byte GET = 1;

  /** Committed versions, and prepared ones by their timestamps. */
  public static final byte CANDIDATES = 2;

  /** Stores versions. */
  public static final byte PREPARE = 3;

  /** Shows versions that are prepared. */
  public static final byte COMMIT = 4;

  /** Stores and shows versions. */
  public static final byte WRITE = 5;

  /** Locks keys, and reads them once they are locked. */
  public static final byte LOCK = 6;

  /** Writes, and gives locks back. */
  public static final byte UNLOCK = 7;

  /** Forgets a prepared version. */
  public static final byte DROP = 8;

  /** Forgets a key. */
  public static final byte PURGE = 9;

  /** How long the server has worked. */
  public static final byte BUSY = 10;

  /** The largest request or reply. */
  public static final int MAX_BYTES = 2 << 20;

  private Wire() {}

  /** Appends bytes. */
  public static void putBytes(ByteBuffer out, byte[] bytes) {
    if (bytes == null) {
      out.putInt(-1);
    } else {
      out.putInt(bytes.length).put(bytes);
    }
  }

  /** Returns the next bytes; null where there are none. */
  public static byte[] getBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Appends a timestamp. */
  public static void putTimestamp(ByteBuffer out, Timestamp timestamp) {
    out.putLong(timestamp.micros()).putLong(timestamp.client());
  }

  static ArenaKey getKey(ByteBuffer in) {
    return ArenaKey.ofBytes(getBytes(in));
  }
}
