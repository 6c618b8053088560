/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void shouldRestSoManyTimesAsLongAsWorkTook() {
    assertThat(TimeBudget.PURGES.restNanos(millis(10))).isEqualTo(millis(190));
    assertThat(TimeBudget.REWRITES.restNanos(millis(10))).isEqualTo(millis(30));
  }

  @Test
  void shouldRestWithinBounds() {
    assertThat(TimeBudget.DRAWS.restNanos(0)).isEqualTo(millis(1_000));
    assertThat(TimeBudget.WALKS.restNanos(millis(5_000))).isEqualTo(millis(10_000));
    assertThat(TimeBudget.REWRITES.atLeast(millis(50)).restNanos(millis(10))).isEqualTo(millis(50));
    assertThat(TimeBudget.PURGES.restNanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void copiesShouldTakeHalfOfTheTimeAndWakeUpRarelyForNothing() {
    assertThat(TimeBudget.restOfCopiesNanos(0)).isEqualTo(millis(40));
    assertThat(TimeBudget.restOfCopiesNanos(millis(1))).isEqualTo(millis(10));
    assertThat(TimeBudget.restOfCopiesNanos(millis(100))).isEqualTo(millis(100));
    assertThat(TimeBudget.restOfCopiesNanos(millis(5_000))).isEqualTo(millis(1_000));
  }
}
