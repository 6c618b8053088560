/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StagingTest {
  private static final long SECOND = SECONDS.toNanos(1);

  @Test
  void shouldWriteOnceWaitingHasCostAsMuchAsTheSSTables() {
    assertThat(Staging.isDue(SECOND, 1_000, 7, 4)).isFalse();
    assertThat(Staging.isDue(SECOND, 1_000, 8, 4)).isTrue();
    assertThat(Staging.isDue(SECOND, 1_000, 8, 16)).as("more shards, more SSTables").isFalse();
  }

  @Test
  void shouldNotWriteAtEachReadOfARowThatAllAskFor() {
    assertThat(Staging.isDue(MILLISECONDS.toNanos(200), 1_000, 500, 4)).isFalse();
  }

  @Test
  void shouldWriteWhatNobodyAsksForBeforeItGrowsOldOrLarge() {
    assertThat(Staging.isDue(4 * SECOND, 1_000, 0, 4)).isFalse();
    assertThat(Staging.isDue(5 * SECOND, 1_000, 0, 4)).isTrue();
    assertThat(Staging.isDue(0, Staging.MAX_BYTES, 0, 4)).isTrue();
  }
}
