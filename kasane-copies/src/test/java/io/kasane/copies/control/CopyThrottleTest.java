/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyThrottleTest {
  private static final double IDLE = 0.5;
  private static final double BUSY = 0.98;
  private static final double UNKNOWN = -1;

  private final CopyThrottle hurry = new CopyThrottle();
  private long lookUps;
  private long waits;

  private void seconds(int count, int lookUpsEach, int waitsEach, double processorLoad) {
    for (int i = 0; i < count; i++) {
      lookUps += lookUpsEach;
      waits += waitsEach;
      hurry.observe(lookUps, waits, processorLoad);
    }
  }

  @Test
  void shouldLeaveBusyProcessorsToRequestsWhereNothingWaitsForTheDisk() {
    seconds(1, 1_000, 10, BUSY);
    assertThat(hurry.timeShare()).isEqualTo(0.01);
  }

  @Test
  void shouldHurryBeforeAnythingIsKnown() {
    assertThat(hurry.timeShare()).isEqualTo(1);
    seconds(1, 1_000, 0, UNKNOWN);
    assertThat(hurry.timeShare()).isEqualTo(1);
  }

  @Test
  void shouldHurryWhileProcessorsAreIdle() {
    seconds(60, 1_000, 0, BUSY);
    seconds(1, 1_000, 0, IDLE);
    assertThat(hurry.timeShare()).isEqualTo(1);
  }

  @Test
  void shouldHurryWithinSecondsOnceLookUpsWait() {
    seconds(600, 1_000, 0, BUSY);
    seconds(3, 1_000, 300, BUSY);
    assertThat(hurry.timeShare()).isEqualTo(1);
  }

  @Test
  void shouldCalmDownOnceMemoryHoldsWhatIsRead() {
    seconds(600, 1_000, 500, BUSY);
    seconds(30, 1_000, 0, BUSY);
    assertThat(hurry.timeShare()).isEqualTo(0.01);
  }
}
