/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import java.nio.ByteBuffer;

/**
 * A value that tells who wrote it, in every system alike: so that one who reads several can tell
 * whether they are what some transactions left, or halves.
 *
 * <p>As bytes: number (8), count of the keys (4), keys (4 each), payload.
 *
 * @param number of the transaction that wrote it; each has its own
 * @param keys all that the transaction wrote
 * @param payload the rest
 */
@SuppressWarnings("ArrayRecordComponent") // thousands a second, never compared
public record StampedValue(long number, int[] keys, byte[] payload) {
  /** As bytes, whose position is 0. */
  public ByteBuffer toBytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES * (1 + keys.length) + payload.length);
    bytes.putLong(number).putInt(keys.length);
    for (int key : keys) {
      bytes.putInt(key);
    }
    return bytes.put(payload).flip();
  }

  /** From bytes, whose position stays. */
  public static StampedValue of(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate();
    long number = in.getLong();
    int[] keys = new int[in.getInt()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = in.getInt();
    }
    byte[] payload = new byte[in.remaining()];
    in.get(payload);
    return new StampedValue(number, keys, payload);
  }
}
