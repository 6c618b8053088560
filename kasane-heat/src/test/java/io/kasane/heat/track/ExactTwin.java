/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;

/** What the tracker should know, kept the naive way: a map per number and no bound. */
public final class ExactTwin {
  static final int UNIT = 16;

  final Map<Long, Long> units = new HashMap<>();
  final Map<Long, Long> sizes = new HashMap<>();
  final Map<Long, Integer> running = new HashMap<>();
  final Map<Long, Integer> last = new HashMap<>();
  long totalUnits;
  long accesses;

  void record(long key) {
    accesses++;
    totalUnits += UNIT;
    units.merge(key, (long) UNIT, Long::sum);
    running.merge(key, 1, Integer::sum);
  }

  void recordSize(long key, long size) {
    if (units.containsKey(key)) {
      sizes.put(key, size);
    }
  }

  void recordPart(long key, long size) {
    sizes.computeIfPresent(key, (same, known) -> Math.max(known, size));
  }

  void halve() {
    totalUnits /= 2;
    units.replaceAll((key, heat) -> heat / 2);
    units.values().removeIf(heat -> heat == 0);
    sizes.keySet().retainAll(units.keySet());
    running.keySet().retainAll(units.keySet());
    last.keySet().retainAll(units.keySet());
  }

  void roll() {
    last.clear();
    last.putAll(running);
    running.clear();
  }

  double heatOf(long key) {
    return units.getOrDefault(key, 0L) / (double) UNIT;
  }

  KeyHeat at(long key) {
    return new KeyHeat(
        key,
        heatOf(key),
        sizes.getOrDefault(key, 0L),
        last.getOrDefault(key, 0),
        running.getOrDefault(key, 0));
  }

  /** Requires that a snapshot has the same keys, and their numbers as exactly as it keeps them. */
  void requireAlike(HeatSnapshot snapshot) {
    Map<Long, KeyHeat> seen = byId(snapshot);
    assertThat(seen.keySet()).isEqualTo(units.keySet());
    for (KeyHeat key : seen.values()) {
      KeyHeat exact = at(key.keyId());
      requireAlike(key.heat(), exact.heat(), 15, 0.1);
      requireAlike((double) key.sizeBytes(), (double) exact.sizeBytes(), 31, 0.07);
      requireNearly(key.lastPeriodAccesses(), exact.lastPeriodAccesses());
      requireNearly(key.runningPeriodAccesses(), exact.runningPeriodAccesses());
    }
  }

  private static void requireAlike(double seen, double exact, double exactUpTo, double error) {
    if (exact <= exactUpTo) {
      assertThat(seen).isEqualTo(exact);
    } else {
      assertThat(seen).isCloseTo(exact, within(error * exact));
    }
  }

  /** Of six bits that count by chance, one in 10^10 is off by a factor of more than 8. */
  private static void requireNearly(int seen, int exact) {
    if (exact <= 7) {
      assertThat(seen).isEqualTo(exact);
    } else {
      assertThat((double) seen).isBetween(exact / 8.0, 8.0 * exact);
    }
  }

  /** All keys of a snapshot by id. */
  public static Map<Long, KeyHeat> byId(HeatSnapshot snapshot) {
    Map<Long, KeyHeat> result = new HashMap<>();
    snapshot.forEach(key -> result.put(key.keyId(), key));
    return result;
  }
}
