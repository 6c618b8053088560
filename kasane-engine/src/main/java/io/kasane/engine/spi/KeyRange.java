/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.Arrays;
import java.util.HexFormat;

/** All keys from one on, and before another one. Immutable; the arrays must not change. */
public final class KeyRange {
  private static final byte[] FIRST = {};
  private static final KeyRange ALL = new KeyRange(FIRST, null);

  private final byte[] from;
  private final byte[] to;

  private KeyRange(byte[] from, byte[] to) {
    this.from = from;
    this.to = to;
  }

  public static KeyRange all() {
    return ALL;
  }

  /** The keys from {@code from} on, itself among them. */
  public static KeyRange from(byte[] from) {
    return new KeyRange(from, null);
  }

  /** The keys from {@code from} on, itself among them, that are before {@code to}. */
  public static KeyRange of(byte[] from, byte[] to) {
    return new KeyRange(from, to);
  }

  /** Returns the first key that may be in it; empty if all are. */
  public byte[] from() {
    return from;
  }

  /** Returns the first key behind it; null if there is no end. */
  public byte[] to() {
    return to;
  }

  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0 && isBeforeEnd(key);
  }

  /** Whether a key that is not before {@link #from} is in it. */
  public boolean isBeforeEnd(byte[] key) {
    return to == null || Arrays.compareUnsigned(key, to) < 0;
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(from) + ", " + (to == null ? "" : hex.formatHex(to)) + ")";
  }
}
