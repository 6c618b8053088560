/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With any rule of client or store off, the simulator finds what the rule is for. */
@Execution(ExecutionMode.CONCURRENT)
class MutationTest {
  private static final long LIMIT = 10_000;
  private static final long SEED = Long.getLong("kasane.seed", 0);

  /** Where the first schedule is that shows it, if that is rare: it is sought from there on. */
  private static final Map<String, Long> FIRST_SEEDS =
      Map.of(
          "SECOND_ROUND_AT_QUORUM", 57L,
          "COMMIT_WITHIN_GRACE", 3_940L,
          "DROP_AFTER_GRACE", 860L,
          "CHECK_AGAIN_AFTER_NEWER_MARKER", 304L,
          "ESCALATE_TO_ALL", 206L,
          "PREPARE_AT_QUORUM", 684L,
          "READ_REPAIR", 77L,
          "ARENA_NEW_AT_START", 310L,
          "ARENA_CLOSED_WHILE_TRUNCATED", 10_364L);

  static Stream<String> rules() {
    return Mutations.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aRuleThatIsOffIsMissed(String rule) {
    Campaign campaign = new Campaign(Mutations.all().get(rule));
    long firstSeed = SEED > 0 ? SEED : FIRST_SEEDS.getOrDefault(rule, 1L);
    long schedules = campaign.runUntilFound(firstSeed, LIMIT);
    assertThat(schedules).as("schedules until the lack of " + rule + " shows").isLessThan(LIMIT);
    System.out.println(
        rule + ": after " + schedules + ", " + campaign.failed().get(0).findings().get(0));
  }
}
