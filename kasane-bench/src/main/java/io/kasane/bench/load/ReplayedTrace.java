/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import io.kasane.heat.sim.Trace;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The keys of a recorded trace in their order, over and over. A trace's keys become rows in the
 * order they first appear; if there are more keys than rows, several share one.
 */
public final class ReplayedTrace implements KeyLaw {
  private final String name;
  private final int[] trace;
  private final int[] counts;
  private final AtomicLong next = new AtomicLong();

  /** Prepares to replay. */
  public ReplayedTrace(Trace recorded, int rows) {
    this.name = recorded.name();
    this.trace = new int[recorded.length()];
    this.counts = new int[rows];
    Map<Integer, Integer> rowOfKey = new HashMap<>();
    for (int i = 0; i < trace.length; i++) {
      int seen = rowOfKey.size();
      trace[i] = rowOfKey.computeIfAbsent(recorded.keyAt(i), key -> seen % rows);
      counts[trace[i]]++;
    }
  }

  @Override
  public int next(double progress) {
    return trace[(int) (next.getAndIncrement() % trace.length)];
  }

  /** The rows that the whole trace asks for most. */
  @Override
  public int[] hottest(int count, double progress) {
    return IntStream.range(0, counts.length)
        .boxed()
        .sorted(Comparator.comparingInt(row -> -counts[row]))
        .limit(count)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public String describe() {
    return "trace " + name;
  }
}
