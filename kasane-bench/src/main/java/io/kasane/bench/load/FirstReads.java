/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the reads of rows that nobody has read before: what no method that learns from reads can
 * have on the fast disk by then. Thread-safe.
 */
final class FirstReads {
  private final AtomicIntegerArray bits;
  private final LongAdder count = new LongAdder();

  FirstReads(int rows) {
    bits = new AtomicIntegerArray(rows / Integer.SIZE + 1);
  }

  void read(int row) {
    int bit = 1 << (row % Integer.SIZE);
    int before = bits.getAndUpdate(row / Integer.SIZE, word -> word | bit);
    if ((before & bit) == 0) {
      count.increment();
    }
  }

  /** Returns how many there were since the last call. */
  long take() {
    return count.sumThenReset();
  }
}
