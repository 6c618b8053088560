/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Some schedules of the simulator, as many as {@code kasane.ramp.schedules} says, from the seed
 * {@code kasane.seed} on. A failure prints the seed and all that happened in its schedule.
 */
@Execution(ExecutionMode.CONCURRENT)
class SimulatorTest {
  private static final long SCHEDULES = Long.getLong("kasane.ramp.schedules", 1_500);
  private static final long SEED = Long.getLong("kasane.seed", 1);

  @Test
  void nothingIsFracturedOrLost() {
    Campaign campaign = new Campaign(Scenario.everything());
    campaign.run(SEED, SCHEDULES);
    assertClean(campaign);
  }

  @Test
  void whatStorageLosesIsNamedAndHealed() {
    Campaign campaign = new Campaign(Scenario.decaying());
    campaign.run(SEED, SCHEDULES / 2);
    assertClean(campaign);
    assertThat(campaign.healed()).as("so many were healed: " + campaign).isPositive();
  }

  @Test
  void whatIsPurgedIsNotSeenInHalves() {
    Campaign campaign = new Campaign(Scenario.purging());
    campaign.run(SEED, SCHEDULES / 2);
    assertClean(campaign);
  }

  @Test
  void whatArenasShowIsNoOlderThanWhatTheirNodesHaveAcknowledged() {
    Campaign campaign = new Campaign(Scenario.everything().overArenas());
    campaign.run(SEED, SCHEDULES / 2);
    assertClean(campaign);
  }

  @Test
  void whatIsClearedIsMissedByNobody() {
    Campaign campaign = new Campaign(Scenario.clearing());
    campaign.run(SEED, SCHEDULES / 5);
    assertClean(campaign);
    assertThat(campaign.cleared().dropped()).as("transactions dropped").isPositive();
    assertThat(campaign.cleared().completed()).as("transactions completed").isPositive();
    assertThat(campaign.cleared().purged()).as("deletions forgotten").isPositive();
  }

  /**
   * Schedules that once showed what must not be: a marker without its version was taken for a
   * deletion that the session knew of, and a session that forgets saw an item as it was before its
   * own deletion.
   */
  @ParameterizedTest
  @ValueSource(longs = {20_230, 29_438, 57_616})
  void whatWasWrongOnceIsRight(long seed) {
    assertThat(Schedule.run(seed, Scenario.everything(), false).findings()).isEmpty();
  }

  @Test
  void aSeedIsASchedule() {
    for (long seed = SEED; seed < SEED + 50; seed++) {
      assertThat(Schedule.run(seed, Scenario.everything(), true).fingerprint())
          .as("seed " + seed)
          .isEqualTo(Schedule.run(seed, Scenario.everything(), false).fingerprint());
    }
  }

  private static void assertClean(Campaign campaign) {
    if (!campaign.failed().isEmpty()) {
      System.out.println(campaign.firstFailure());
    }
    assertThat(campaign.failed()).as(campaign.toString()).isEmpty();
  }
}
