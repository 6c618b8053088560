/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import java.util.List;
import java.util.SplittableRandom;

/** Random numbers, of which others differ in one only: what is made of both lies close together. */
final class Draws {
  private final long seed;
  private final int other;
  private int count;

  private Draws(long seed, int other) {
    this.seed = seed;
    this.other = other;
  }

  static Draws of(long seed) {
    return new Draws(seed, -1);
  }

  /** As those of {@code seed}, but for one. */
  static Draws but(long seed, int one) {
    return new Draws(seed, one);
  }

  int below(int bound) {
    long which = count == other ? ~count : count;
    count++;
    return new SplittableRandom(seed + which * 0x9E3779B97F4A7C15L).nextInt(bound);
  }

  boolean oneIn(int many) {
    return below(many) == 0;
  }

  <T> T from(List<T> all) {
    return all.get(below(all.size()));
  }

  /** Mostly those at which orders change. */
  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = from(List.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFF));
      if (oneIn(8)) {
        bytes[i] = (byte) below(256);
      }
    }
    return bytes;
  }
}
