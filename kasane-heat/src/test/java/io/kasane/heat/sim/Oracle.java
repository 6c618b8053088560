/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The ceiling in every comparison: exact counts of every key, unaged, in a map. Equal counts are
 * ordered by a hash of the key: in a generated trace the key itself would tell its true rank. Not
 * thread-safe.
 */
public final class Oracle {
  private static final int GOLDEN = 0x9E3779B9;
  private static final int INVERSE = 0x144CBC89; // GOLDEN * INVERSE = 1 mod 2^32

  private final Map<Integer, int[]> counts = new HashMap<>();

  /** Counts one access. */
  public void record(int key) {
    counts.computeIfAbsent(key, k -> new int[1])[0]++;
  }

  /** Accesses counted for a key. */
  public int count(int key) {
    int[] count = counts.get(key);
    return count == null ? 0 : count[0];
  }

  /** The {@code n} keys (or fewer) with the most accesses. */
  public Set<Integer> hottest(int n) {
    long[] order = new long[counts.size()];
    int i = 0;
    for (Map.Entry<Integer, int[]> entry : counts.entrySet()) {
      order[i++] = ((long) -entry.getValue()[0] << 32) | (entry.getKey() * GOLDEN & 0xFFFFFFFFL);
    }
    Arrays.sort(order);
    Set<Integer> hottest = new HashSet<>(2 * Math.min(n, order.length) + 1);
    for (int k = 0; k < Math.min(n, order.length); k++) {
      hottest.add((int) order[k] * INVERSE);
    }
    return hottest;
  }
}
