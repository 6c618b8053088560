/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PurgePaceTest {
  private static final long MB = 1L << 20;
  private static final long TERABYTE = 1L << 40;

  private long nanos = -5;
  private final PurgePace pace = new PurgePace(() -> nanos);

  private void after(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void takesATwentiethOfTheTimeReckonedInAdvance() {
    assertThat(pace.allows(0)).isTrue();
    assertThat(pace.allows(64 * MB)).isFalse();
    after(18);
    assertThat(pace.allows(64 * MB)).isFalse();
    after(1);
    assertThat(pace.allows(64 * MB)).isTrue();
    assertThat(pace.allows(65 * MB)).isFalse();
    after(TimeUnit.DAYS.toSeconds(14));
    assertThat(pace.allows(4 * TERABYTE)).isFalse();
    after(TimeUnit.DAYS.toSeconds(1));
    assertThat(pace.allows(4 * TERABYTE)).isTrue();
  }

  @Test
  void oneAtATimeAndTheNextCountsFromItsEnd() {
    after(1_000);
    pace.begins();
    assertThat(pace.allows(1)).isFalse();
    after(1_000);
    pace.ended(1);
    assertThat(pace.allows(64 * MB)).isFalse();
    after(19);
    assertThat(pace.allows(64 * MB)).isTrue();
  }

  @Test
  void aSlowerDiskRestsLonger() {
    pace.begins();
    pace.ended(TimeUnit.SECONDS.toNanos(10));
    after(189);
    assertThat(pace.allows(64 * MB)).isFalse();
    after(1);
    assertThat(pace.allows(64 * MB)).isTrue();
  }

  @Test
  void whatWasLeftIsKnownByShardUntilItIsTriedAgain() {
    pace.begins();
    pace.purged(Set.of(1, 2), Map.of(1, 5.0, 3, 7.0));
    pace.ended(1);
    long retryNanos = TimeUnit.SECONDS.toNanos(100);
    assertThat(pace.leftCells(1, retryNanos)).isEqualTo(5);
    assertThat(pace.leftCells(2, retryNanos)).isZero();
    pace.purged(Set.of(1), Map.of(3, 1.0));
    assertThat(pace.leftCells(1, retryNanos)).isZero();
    assertThat(pace.leftCells(3, retryNanos)).isEqualTo(8);
    after(100);
    assertThat(pace.leftCells(3, retryNanos)).isZero();
  }

  @Test
  void looksOnceAPeriod() {
    AtomicInteger looks = new AtomicInteger();
    for (int second = 0; second < 100; second++) {
      after(1);
      pace.lookEvery(TimeUnit.SECONDS.toNanos(10), looks::incrementAndGet);
    }
    assertThat(looks).hasValue(10);
  }
}
