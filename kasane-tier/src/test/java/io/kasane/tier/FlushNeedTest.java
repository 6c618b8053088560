/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlushNeedTest {
  private static final long QUOTA = 100_000;

  private final FlushNeed need = new FlushNeed();

  @Test
  void shouldKeepTheMostUntilAFlushWasSeen() {
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
  }

  @Test
  void shouldKeepHalfAsMuchAgainAsTheLastFlushNeeded() {
    need.flushed(3_000);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(4_500);
    assertThat(need.roomBytes(2 * QUOTA)).as("of a larger quota").isEqualTo(4_500);
  }

  @Test
  void shouldStayWithinItsBounds() {
    need.flushed(0);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(2_000);
    need.flushed(QUOTA);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
    assertThat(need.roomBytes(0)).as("without a fast disk").isZero();
  }

  @Test
  void shouldForgetALargeFlushSlowly() {
    need.flushed(4_000);
    need.flushed(0);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(5_700);
    for (int flush = 0; flush < 13; flush++) {
      need.flushed(1_500);
    }
    assertThat(need.roomBytes(QUOTA)).isBetween(2_800L, 3_100L);
  }

  @Test
  void shouldKeepTheMostAfterAFlushThatFoundTooLittle() {
    need.flushed(1_000);
    need.refused();
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
    need.flushed(3_000);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(4_500);
  }
}
