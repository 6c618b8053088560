/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * 128 bits that a key gives on every machine. Filters are stored, so this never changes.
 *
 * @param first one half
 * @param second the other half, independent of the first
 */
record KeyHash(long first, long second) {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

  /** Of table, partition and item, with their lengths. */
  static KeyHash of(ItemKey key) {
    KeyHash hash = new KeyHash(PRIME_1, PRIME_2);
    hash = hash.with(Bytes.utf8(key.table()));
    hash = hash.with(key.partition());
    return hash.with(key.item());
  }

  /** Number {@code index} of any number of hashes of this key. */
  long derived(int index) {
    return mix(first + index * (second | 1));
  }

  private KeyHash with(Bytes bytes) {
    ByteBuffer buffer = bytes.toBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long a = first ^ bytes.length();
    long b = second + bytes.length();
    while (buffer.hasRemaining()) {
      long word = 0;
      if (buffer.remaining() >= Long.BYTES) {
        word = buffer.getLong();
      } else {
        for (int shift = 0; buffer.hasRemaining(); shift += Byte.SIZE) {
          word |= (buffer.get() & 0xFFL) << shift;
        }
      }
      a = mix(a ^ word * PRIME_1);
      b = mix(b + Long.rotateLeft(word, 32) * PRIME_2);
    }
    return new KeyHash(mix(a + PRIME_2), mix(b ^ PRIME_1));
  }

  /** The finalizer of splitmix64: a bijection that spreads each bit over all. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
