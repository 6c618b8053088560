/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

/**
 * Keys that were found to be unfit for a slot, the last one of each place, so that they are not
 * looked for again and again. Whoever calls has the lock of the set.
 */
final class UnfitKeys {
  private static final long NONE = 0;

  private final long[] checks;

  UnfitKeys(int slots) {
    this.checks = new long[slots];
  }

  private static int placeOf(int firstSlot, ArenaKey key) {
    return firstSlot + (int) (key.check() >>> 1 & (ArenaLayout.WAYS - 1));
  }

  /**
   * Remembers a key.
   *
   * @param firstSlot of its set
   */
  void add(int firstSlot, ArenaKey key) {
    checks[placeOf(firstSlot, key)] = key.check();
  }

  boolean has(int firstSlot, ArenaKey key) {
    return checks[placeOf(firstSlot, key)] == key.check();
  }

  void remove(int firstSlot, ArenaKey key) {
    if (has(firstSlot, key)) {
      checks[placeOf(firstSlot, key)] = NONE;
    }
  }

  /** Forgets whichever is in a place. */
  void forget(int slot) {
    checks[slot] = NONE;
  }
}
