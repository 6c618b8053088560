/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HotSetRefreshPaceTest {
  private static final int MANY = 512_000;
  private static final int FEW = 1_000;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long nowNanos = 7;
  private final HotSetRefreshPace pace = new HotSetRefreshPace(() -> nowNanos);
  private final HeatTracker tracker = newTracker();

  private static HeatTracker newTracker() {
    return new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(2 * MANY), () -> 0, 1);
  }

  @AfterEach
  void close() {
    tracker.close();
  }

  private void record(int keys) {
    record(tracker, keys);
  }

  private static void record(HeatTracker of, int keys) {
    for (long key = 0; key < keys; key++) {
      of.record(key * GOLDEN);
    }
  }

  private void draw(long tookMillis) {
    long began = nowNanos;
    pass(tookMillis);
    pace.drawn(tracker, tracker.totalAccesses(), began);
  }

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private boolean isDue() {
    return pace.isDue(tracker, true);
  }

  @Test
  void theFirstIsDue() {
    assertThat(isDue()).isTrue();
    assertThat(pace.isYoung()).isFalse();
  }

  @Test
  void ofFewKeysItIsDueEachSecond() {
    record(FEW);
    draw(2);
    pass(999);
    assertThat(isDue()).isFalse();
    pass(1);
    assertThat(isDue()).isTrue();
  }

  @Test
  void oneThatTakesLongIsDueMoreSeldom() {
    record(FEW);
    draw(100);
    pass(999);
    assertThat(pace.isYoung()).isTrue();
    pass(1);
    assertThat(pace.isYoung()).isFalse();
    pass(3_999);
    assertThat(isDue()).isFalse();
    pass(1);
    assertThat(isDue()).isTrue();
  }

  @Test
  void ofManyKeysItIsDueAfterSomeAccesses() {
    record(MANY);
    draw(2);
    pass(1_000);
    assertThat(isDue()).isFalse();
    record(MANY / 256);
    assertThat(isDue()).isTrue();
  }

  @Test
  void ofManyKeysItIsDueTenSecondsLater() {
    record(MANY);
    draw(2);
    pass(10_999);
    assertThat(isDue()).isFalse();
    pass(1);
    assertThat(isDue()).isTrue();
  }

  @Test
  void oneThatToldNothingIsRepeatedSoon() {
    record(MANY);
    draw(2);
    pass(1_000);
    assertThat(pace.isDue(tracker, false)).isTrue();
  }

  @Test
  void anotherTrackerOfAsMuchIsAskedSoon() {
    record(MANY);
    draw(2);
    pass(1_000);
    try (HeatTracker other = newTracker()) {
      record(other, MANY);
      assertThat(pace.isDue(other, true)).isTrue();
    }
  }
}
