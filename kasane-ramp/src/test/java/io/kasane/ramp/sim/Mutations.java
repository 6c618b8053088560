/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.Rule;
import java.util.LinkedHashMap;
import java.util.Map;

/** Each rule switched off, with schedules drawn towards where it matters. */
final class Mutations {
  private Mutations() {}

  /** By the name of the rule that is off. */
  static Map<String, Scenario> all() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    for (Rule rule : Rule.values()) {
      all.put(rule.name(), towards(rule).without(rule));
    }
    for (StoreRule rule : StoreRule.values()) {
      all.put(rule.name(), towards(rule).without(rule));
    }
    return all;
  }

  private static Scenario towards(Rule rule) {
    Scenario everything = Scenario.everything();
    return switch (rule) {
      // Names are looked for at all replicas anyway: only what may have been is given up.
      case SECOND_ROUND_AT_QUORUM ->
          everything
              .inClimate((climate, chance) -> Changed.lagging(climate))
              .withWorkload((workload, chance) -> Changed.mixed(workload));
      // Puts that look at markers never get below what was seen: they fail instead.
      case MERGE_CLOCK -> everything.withWorkload((workload, chance) -> Changed.blind(workload));
      case COMMIT_WITHIN_GRACE, DROP_AFTER_GRACE -> Scenario.clearing();
      default -> everything;
    };
  }

  private static Scenario towards(StoreRule rule) {
    Scenario everything = Scenario.everything();
    return switch (rule) {
      case PREPARE_AT_QUORUM, COMMIT_AT_QUORUM ->
          everything
              .inClimate((climate, chance) -> Changed.lagging(climate))
              .withWorkload((workload, chance) -> Changed.mixed(workload));
      case WRITE_AT_EACH_QUORUM ->
          everything.inClimate(
              (climate, chance) -> Changed.with(Changed.lagging(climate), new Topology(2, 3)));
      // What a session forgot, since a quorum showed it.
      case READ_REPAIR ->
          everything
              .inClimate(
                  (climate, chance) -> Changed.with(Changed.lagging(climate), new Topology(1, 3)))
              .withWorkload((workload, chance) -> Changed.forgetful(workload));
      case COLLECT_IN_ONE_BATCH -> Scenario.decaying();
      case ARENA_DELETION_EVICTS -> Scenario.purging().overArenas();
      default -> rule.isOfArenas() ? everything.overArenas() : everything;
    };
  }
}
