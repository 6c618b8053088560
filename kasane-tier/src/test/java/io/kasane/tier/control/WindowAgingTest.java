/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowAgingTest {
  private static final long WINDOW_MILLIS = 60_000;
  private static final long HOT_KEYS = 1_000;

  private final WindowAging aging = new WindowAging();

  @Test
  void shouldHalveFourTimesAWindow() {
    int halved = 0;
    for (long second = 0; second <= 600; second++) {
      halved += aging.isDue(1_000 * second, WINDOW_MILLIS, 500 * second, HOT_KEYS) ? 1 : 0;
    }
    assertThat(halved).isEqualTo(40);
  }

  @Test
  void shouldCoolNothingWhileLittleIsRead() {
    assertThat(aging.isDue(0, WINDOW_MILLIS, 0, HOT_KEYS)).isFalse();
    for (long minute = 1; minute < 1_000; minute++) {
      assertThat(aging.isDue(60_000 * minute, WINDOW_MILLIS, 999, HOT_KEYS)).isFalse();
    }
    assertThat(aging.isDue(60_000_000, WINDOW_MILLIS, 1_000, HOT_KEYS)).isTrue();
    assertThat(aging.isDue(60_000_000, WINDOW_MILLIS, 9_000, HOT_KEYS)).as("again").isFalse();
  }

  @Test
  void shouldWaitForAnAccessWhereNothingIsHot() {
    aging.isDue(0, WINDOW_MILLIS, 0, 0);
    assertThat(aging.isDue(60_000, WINDOW_MILLIS, 0, 0)).isFalse();
    assertThat(aging.isDue(60_001, WINDOW_MILLIS, 1, 0)).isTrue();
  }
}
