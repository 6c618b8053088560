/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShareTrendTest {
  private final ShareTrend trend = new ShareTrend();

  private void read(int seconds, double share) {
    for (int second = 0; second < seconds; second++) {
      trend.observe(Math.round(1_000 * share), 1_000);
    }
  }

  @Test
  void shouldSettleOnceTheShareStays() {
    read(20, 0.7);
    assertThat(trend.hasSettled()).isFalse();
    read(30, 0.7);
    assertThat(trend.hasSettled()).isTrue();
  }

  @Test
  void shouldNoticeWithinASecondThatTheShareFalls() {
    read(60, 0.7);
    read(1, 0.3);
    assertThat(trend.hasSettled()).isFalse();
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
      long fast = random.doubles(1_000).filter(d -> d < 0.7).count();
      trend.observe(fast, 1_000);
      assertThat(trend.hasSettled()).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void shouldLearnNothingFromPauses() {
    read(60, 0.7);
    for (int second = 0; second < 100; second++) {
      trend.observe(0, 0);
    }
    assertThat(trend.hasSettled()).isTrue();
    read(1, 0.3);
    assertThat(trend.hasSettled()).isFalse();
  }
}
