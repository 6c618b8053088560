/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With any rule of client or store off, the simulator finds what the rule is for. */
@Execution(ExecutionMode.CONCURRENT)
class MutationTest {
  private static final long LIMIT = 10_000;
  private static final long SEED = Long.getLong("kasane.seed", 1);

  static Stream<String> rules() {
    return Mutations.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aRuleThatIsOffIsMissed(String rule) {
    Campaign campaign = new Campaign(Mutations.all().get(rule));
    long schedules = campaign.runUntilFound(SEED, LIMIT);
    assertThat(schedules).as("schedules until the lack of " + rule + " shows").isLessThan(LIMIT);
    System.out.println(
        rule + ": after " + schedules + ", " + campaign.failed().get(0).findings().get(0));
  }
}
