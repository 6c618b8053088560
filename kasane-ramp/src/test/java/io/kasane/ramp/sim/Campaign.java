/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.LeftoverCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Many schedules, one seed after the other. */
final class Campaign {
  private static final int MAX_KEPT = 20;

  private final Scenario scenario;
  private final Rounds rounds = new Rounds();
  private final List<Outcome> failed = new ArrayList<>();
  private final Map<String, Long> kinds = new TreeMap<>();
  private long schedules;
  private long transactions;
  private long healed;
  private LeftoverCounts cleared = Clearing.none();
  private long failures;
  private long fingerprint;

  Campaign(Scenario scenario) {
    this.scenario = scenario;
  }

  void run(long firstSeed, long count) {
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      add(Schedule.run(seed, scenario, false));
    }
  }

  /** Runs until something is found: how many schedules that took, or more than the limit. */
  long runUntilFound(long firstSeed, long limit) {
    for (long seed = firstSeed; seed < firstSeed + limit; seed++) {
      add(Schedule.run(seed, scenario, false));
      if (failures > 0) {
        return schedules;
      }
    }
    return limit + 1;
  }

  private void add(Outcome outcome) {
    schedules++;
    fingerprint = fingerprint * 31 + outcome.fingerprint();
    transactions += outcome.transactions();
    healed += outcome.healed();
    cleared = Clearing.sum(cleared, outcome.cleared());
    rounds.add(outcome.rounds());
    if (!outcome.findings().isEmpty()) {
      failures++;
      kinds.merge(kindOf(outcome.findings().get(0)), 1L, Long::sum);
      if (failed.size() < MAX_KEPT) {
        failed.add(outcome);
      }
    }
  }

  /** The capitals that a finding begins with. */
  private static String kindOf(String finding) {
    int end = 0;
    while (end < finding.length() && !Character.isLowerCase(finding.charAt(end))) {
      end++;
    }
    return finding.substring(0, end).trim();
  }

  long healed() {
    return healed;
  }

  /** What was cleared of what dead clients left. */
  LeftoverCounts cleared() {
    return cleared;
  }

  /** The same whenever the same happened. */
  long fingerprint() {
    return fingerprint;
  }

  List<Outcome> failed() {
    return failed;
  }

  /** What the first failure was, with the whole trace of its schedule. */
  String firstFailure() {
    Outcome first = failed.get(0);
    Outcome traced = Schedule.run(first.seed(), scenario, true);
    return "seed "
        + first.seed()
        + ": "
        + first.findings()
        + "\n"
        + String.join("\n", traced.trace());
  }

  @Override
  public String toString() {
    return schedules
        + " schedules, "
        + transactions
        + " transactions, "
        + healed
        + " healed, "
        + failures
        + " failed "
        + kinds
        + ", gets by rounds: "
        + rounds;
  }
}
