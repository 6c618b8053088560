/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Accesses that are not counted yet: a few of each of some stripes, which threads share by their
 * ids. They are counted together, so that the misses of the processor's caches which each of them
 * costs pass at the same time. Thread-safe.
 */
final class PendingAccesses {
  /** As many as have their misses at once. */
  static final int MAX_OF_A_STRIPE = 16;

  private static final int MAX_STRIPES = 64;
  private static final int STRIPES_PER_PROCESSOR = 4;

  /** A stripe is a state, how many keys it holds or {@link #TAKEN}, and keys, apart from others. */
  private static final int STATE = 8;

  private static final int KEYS = STATE + 1;
  private static final int STRIPE_LONGS = KEYS + MAX_OF_A_STRIPE + 8;

  private static final long TAKEN = -1;
  private static final int SPINS = 200;
  private static final VarHandle STATES = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[][] stripes;
  private final Counter counter;

  /** Counts accesses of {@code count} keys, which lie in an array. */
  interface Counter {
    void count(long[] keys, int from, int count);
  }

  /** None yet. */
  PendingAccesses(Counter counter) {
    this.counter = counter;
    int wanted = STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    this.stripes = new long[Integer.highestOneBit(Math.min(MAX_STRIPES, wanted))][STRIPE_LONGS];
  }

  /** Takes note of an access; false if another thread has the stripe. Never waits. */
  boolean add(long key) {
    long[] stripe = mine();
    long held = (long) STATES.getOpaque(stripe, STATE);
    if (held == TAKEN || !STATES.compareAndSet(stripe, STATE, held, TAKEN)) {
      return false;
    }
    stripe[KEYS + (int) held] = key;
    if (held + 1 < MAX_OF_A_STRIPE) {
      STATES.setRelease(stripe, STATE, held + 1);
    } else {
      count(stripe, MAX_OF_A_STRIPE);
    }
    return true;
  }

  /** Counts those of the calling thread, so that it finds what it recorded. */
  void countMine() {
    count(mine());
  }

  /** Counts all, but those that are being recorded right now. */
  void countAll() {
    for (long[] stripe : stripes) {
      count(stripe);
    }
  }

  private long[] mine() {
    return stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
  }

  private void count(long[] stripe) {
    for (int i = 0; i < SPINS; i++) {
      long held = (long) STATES.getOpaque(stripe, STATE);
      if (held == 0) {
        return;
      }
      if (held != TAKEN && STATES.compareAndSet(stripe, STATE, held, TAKEN)) {
        count(stripe, (int) held);
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void count(long[] stripe, int count) {
    try {
      counter.count(stripe, KEYS, count);
    } finally {
      STATES.setRelease(stripe, STATE, 0L);
    }
  }
}
