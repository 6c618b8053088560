/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Draws the climate and the workload of a schedule. */
final class Drawing {
  private static final List<Topology> TOPOLOGIES =
      List.of(
          new Topology(1, 3),
          new Topology(1, 3),
          new Topology(1, 3),
          new Topology(2, 3),
          new Topology(2, 2));

  private final Chance chance;

  Drawing(Chance chance) {
    this.chance = chance;
  }

  Climate climate(Set<StoreRule> off) {
    boolean stale = chance.happens(0.15);
    boolean unsynced = chance.happens(0.1);
    boolean calm = chance.happens(0.1);
    return new Climate(
        chance.oneOf(TOPOLOGIES),
        calm ? 0 : some(0.0, 0.005, 0.03),
        calm ? 0 : some(0.0, 0.05, 0.25),
        calm ? 0 : some(0.0, 0.05),
        some(0.0, 0.03, 0.15),
        chance.between(2_000, 60_000),
        some(0.0, 0.5, 1.0),
        chance.between(2_000, 300_000),
        chance.happens(0.4),
        some(0.0, 0.0, 0.1),
        unsynced,
        stale,
        calm ? 0 : (int) chance.between(0, stale ? 12 : 5),
        calm ? 0 : chance.below(3),
        chance.happens(0.5) ? 10_000_000 : 0,
        chance.oneOf(List.of(1L, 1L, 1_000L, 20_000L)),
        off);
  }

  private double some(Double... choices) {
    return chance.oneOf(List.of(choices));
  }

  Workload workload(Climate climate) {
    int keys = 2 + chance.below(3);
    int items = chance.happens(0.4) ? 1 + chance.below(2) : 0;
    boolean rests = !climate.mayLose() && chance.happens(0.15);
    return new Workload(
        keys,
        items,
        2 + chance.below(4),
        4 + chance.below(8),
        some(0.3, 0.5, 0.7),
        some(0.0, 0.1, 0.4),
        rests ? 0.15 : 0,
        // What a quorum lost only names tell from what never was.
        !climate.mayLose() && chance.happens(0.5),
        // What a session forgot, it cannot miss where a quorum lost it.
        !climate.mayLose() && chance.happens(0.2) ? 1 + chance.below(2) : 100,
        chance.happens(0.3),
        !chance.happens(0.1),
        Duration.ofMillis(chance.happens(0.7) ? 210 : 1_000),
        rests ? Duration.ofMillis(1_500) : Duration.ofHours(1),
        // Grace is judged by clocks: it holds where they are not further apart than allowed.
        rests || chance.happens(0.95) ? Duration.ofSeconds(25) : Duration.ofSeconds(5));
  }
}
