/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.Rule;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Which schedules are drawn: what chance draws, changed towards what is looked for.
 *
 * @param rules those that clients keep
 * @param storeRulesOff those that the store does not keep
 * @param climate changes the climate that was drawn
 * @param workload changes the workload that was drawn
 * @param clears whether what dead clients left is cleared beside those that live
 * @param arenas whether clients read arenas of the nodes on their hosts
 */
record Scenario(
    Set<Rule> rules,
    Set<StoreRule> storeRulesOff,
    BiFunction<Climate, Chance, Climate> climate,
    BiFunction<Workload, Chance, Workload> workload,
    boolean clears,
    boolean arenas) {
  /** All rules kept, everything as it is drawn. */
  static Scenario everything() {
    return new Scenario(
        EnumSet.allOf(Rule.class),
        Set.of(),
        (climate, chance) -> climate,
        (workload, chance) -> workload,
        false,
        false);
  }

  /** All rules kept; storage goes back to before so often that versions are lost. */
  static Scenario decaying() {
    return everything()
        .inClimate((climate, chance) -> Changed.decaying(climate))
        .withWorkload((workload, chance) -> Changed.seldom(workload));
  }

  /** All rules kept; much is deleted and purged, in all modes, at replicas that miss much. */
  static Scenario purging() {
    return everything()
        .inClimate((climate, chance) -> Changed.lagging(climate))
        .withWorkload((workload, chance) -> Changed.purging(workload));
  }

  /**
   * All rules kept; clients die, retry late, delete much and go on for long, while others clear
   * what is left.
   */
  static Scenario clearing() {
    Scenario resting =
        everything()
            .inClimate((climate, chance) -> Changed.lagging(climate))
            .withWorkload((workload, chance) -> Changed.resting(workload));
    return new Scenario(
        resting.rules, resting.storeRulesOff, resting.climate, resting.workload, true, false);
  }

  /** The same, with arenas. */
  Scenario overArenas() {
    return new Scenario(rules, storeRulesOff, climate, workload, clears, true);
  }

  Scenario without(Rule rule) {
    EnumSet<Rule> kept = EnumSet.copyOf(rules);
    kept.remove(rule);
    return new Scenario(kept, storeRulesOff, climate, workload, clears, arenas);
  }

  Scenario without(StoreRule rule) {
    EnumSet<StoreRule> off = EnumSet.of(rule);
    off.addAll(storeRulesOff);
    return new Scenario(rules, off, climate, workload, clears, arenas);
  }

  Scenario inClimate(BiFunction<Climate, Chance, Climate> change) {
    return new Scenario(rules, storeRulesOff, change, workload, clears, arenas);
  }

  Scenario withWorkload(BiFunction<Workload, Chance, Workload> change) {
    return new Scenario(rules, storeRulesOff, climate, change, clears, arenas);
  }
}
