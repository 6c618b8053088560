/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HitRatioMonitorTest {
  private final HitRatioMonitor trend = new HitRatioMonitor();
  private long reads;
  private long slowReads;
  private int falls;

  private void read(int seconds, double share) {
    for (int second = 0; second < seconds; second++) {
      read(Math.round(1_000 * (1 - share)));
    }
  }

  private void read(long slow) {
    reads += 1_000;
    slowReads += slow;
    falls += trend.observe(reads, slowReads) ? 1 : 0;
  }

  @Test
  void shouldSettleOnceTheShareStays() {
    read(20, 0.7);
    assertThat(trend.hasSettled()).isFalse();
    read(30, 0.7);
    assertThat(trend.hasSettled()).isTrue();
    assertThat(trend.settledShare()).isCloseTo(0.7, within(0.001));
  }

  @Test
  void shouldNoticeWithinTwoSecondsThatTheShareFalls() {
    read(60, 0.7);
    read(1, 0.3);
    assertThat(trend.hasSettled()).isFalse();
    read(1, 0.3);
    assertThat(falls).isEqualTo(1);
  }

  @Test
  void shouldTellOfAFallOnce() {
    read(60, 0.7);
    read(60, 0.2);
    assertThat(falls).isEqualTo(1);
    read(60, 0.7);
    assertThat(falls).as("a rise").isEqualTo(1);
    read(60, 0.2);
    assertThat(falls).as("a fall from where it had settled again").isEqualTo(2);
  }

  @Test
  void shouldKnowNoFallBeforeItHasSettled() {
    read(10, 0.9);
    read(60, 0.1);
    assertThat(falls).isZero();
  }

  @Test
  void shouldNotTakeASmallChangeForAFall() {
    read(60, 0.7);
    read(60, 0.62);
    assertThat(falls).isZero();
    assertThat(trend.hasSettled()).isTrue();
    assertThat(trend.settledShare()).isLessThan(0.65);
  }

  /** As fast as new rows come to fast after a change of what is read. */
  @Test
  void shouldWaitWhileTheShareRises() {
    read(60, 0.7);
    read(5, 0.2);
    for (double share = 0.2; share < 0.7; share += 0.01) {
      read(1, share);
      assertThat(trend.hasSettled()).as("at %.2f", share).isFalse();
    }
    read(30, 0.7);
    assertThat(trend.hasSettled()).isTrue();
  }

  @Test
  void shouldIgnoreWhatChanceDoesToAThousandReads() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    read(60, 0.7);
    for (int second = 0; second < 600; second++) {
      read(random.doubles(1_000).filter(d -> d >= 0.7).count());
      assertThat(trend.hasSettled()).as("seed %d", seed).isTrue();
    }
    assertThat(falls).as("seed %d", seed).isZero();
  }

  /** One slow read is much of a few. */
  @Test
  void shouldIgnoreWhatChanceDoesToFewReads() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int readsPerSecond : new int[] {1, 5, 20}) {
      for (double share : new double[] {0.7, 0.9, 0.98}) {
        for (int second = 0; second < 20_000; second++) {
          reads += readsPerSecond;
          slowReads += random.doubles(readsPerSecond).filter(d -> d >= share).count();
          if (second == 10_000) {
            falls = 0; // the share may have been another before
          }
          falls += trend.observe(reads, slowReads) ? 1 : 0;
        }
        assertThat(falls).as("%d a second, %.2f, seed %d", readsPerSecond, share, seed).isZero();
      }
    }
  }

  @Test
  void shouldCountSlowReadsThatEndLater() {
    read(60, 0.7);
    slowReads += 300;
    assertThat(trend.observe(reads, slowReads)).as("reads that have not ended").isFalse();
    reads += 1_000;
    for (int second = 0; second < 5; second++) {
      assertThat(trend.observe(reads, slowReads)).isFalse();
    }
    assertThat(trend.share()).isCloseTo(0.7, within(0.001));
  }

  @Test
  void shouldLearnNothingFromPauses() {
    read(60, 0.7);
    for (int second = 0; second < 100; second++) {
      assertThat(trend.observe(reads, slowReads)).isFalse();
    }
    assertThat(trend.hasSettled()).isTrue();
    read(1, 0.3);
    assertThat(trend.hasSettled()).isFalse();
  }
}
