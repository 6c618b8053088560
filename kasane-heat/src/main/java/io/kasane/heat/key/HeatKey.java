/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.key;

/**
 * What heat keeps of a key: the upper 38 bits of its id. Of a hundred million keys one in three
 * thousand shares them with another, and is counted with it. With Murmur3 an id is a token, so that
 * an SSTable finds the key again.
 *
 * <p>A node has tokens of some ranges only, so the bits are mixed, each value to one other
 * (multiplications by odd numbers, and shifts).
 */
public final class HeatKey {
  public static final int BITS = 38;

  /** Behind all keys. */
  public static final long END = 1L << BITS;

  private static final int LEFT_OUT = 64 - BITS;
  private static final long MASK = END - 1;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;
  private static final long INVERSE = inverse(FACTOR);

  private HeatKey() {}

  /** The mixed bits of an id: 0 to 2³⁸ − 1. */
  public static long of(long id) {
    long key = ((id >>> LEFT_OUT) * FACTOR) & MASK;
    key = (folded(key) * FACTOR) & MASK;
    return folded(key);
  }

  /** The least id with these bits. */
  public static long idOf(long mixed) {
    long key = (folded(mixed) * INVERSE) & MASK;
    key = (folded(key) * INVERSE) & MASK;
    return key << LEFT_OUT;
  }

  /** What heat takes for the same key. */
  public static long prefixOf(long id) {
    return id & (-1L << LEFT_OUT);
  }

  /** Its own inverse. */
  private static long folded(long key) {
    return key ^ (key >>> (BITS / 2));
  }

  /** Modulo 2⁶⁴, by Newton's iteration. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
