/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.Arrays;

/** Numbers longs from 0 on as they come, in about 24 bytes each. Not thread-safe. */
final class LongIndex {
  /** The answer for a long that has no number. */
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private long[] values = new long[16];
  private int[] slots = new int[32];
  private int size;

  int size() {
    return size;
  }

  long valueOf(int number) {
    return values[number];
  }

  /** Its number, or {@link #NONE}. */
  int find(long value) {
    return slots[slotOf(value)] - 1;
  }

  /** Its number; a new one where it has none. */
  int add(long value) {
    int slot = slotOf(value);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if (size == values.length) {
      grow();
      slot = slotOf(value);
    }
    values[size] = value;
    slots[slot] = ++size;
    return size - 1;
  }

  private int slotOf(long value) {
    int mask = slots.length - 1;
    long mixed = value * MIX;
    int slot = (int) (mixed ^ (mixed >>> 32)) & mask;
    while (slots[slot] != 0 && values[slots[slot] - 1] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    values = Arrays.copyOf(values, size * 2);
    slots = new int[size * 4];
    for (int i = 0; i < size; i++) {
      slots[slotOf(values[i])] = i + 1;
    }
  }
}
