/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlushNeedTest {
  private static final long QUOTA = 100_000;

  private long nowNanos;
  private final FlushNeed need = new FlushNeed(() -> nowNanos);

  private void flush(int times, long bytes) {
    for (int flush = 0; flush < times; flush++) {
      need.flushed(bytes, QUOTA);
    }
  }

  @Test
  void shouldKeepTheMostUntilFlushesHaveShownThatTheyNeedLess() {
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
    flush(1, 3_000);
    assertThat(need.roomBytes(QUOTA)).isBetween(6_600L, 6_700L);
    flush(20, 3_000);
    assertThat(need.roomBytes(QUOTA)).as("half as much again").isEqualTo(4_500);
    assertThat(need.roomBytes(2 * QUOTA)).as("of a larger quota").isEqualTo(4_500);
  }

  @Test
  void shouldLearnNothingFromFlushesWithoutHotRows() {
    flush(100, 0);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
  }

  @Test
  void shouldStayWithinItsBounds() {
    flush(100, 1);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(2_000);
    flush(1, QUOTA);
    assertThat(need.roomBytes(QUOTA)).isEqualTo(7_000);
    assertThat(need.roomBytes(0)).as("without a fast disk").isZero();
  }

  @Test
  void shouldLetFewerRowsStayWhileFlushesFindTooLittle() {
    flush(100, 1_000);
    assertThat(need.fill()).isOne();
    need.refused(QUOTA);
    assertThat(need.fill()).isCloseTo(0.95, within(1e-9));
    flush(49, 1_000);
    assertThat(need.fill()).as("one in fifty is borne").isLessThan(1);
    flush(2, 1_000);
    assertThat(need.fill()).isOne();

    for (int i = 0; i < 100; i++) {
      need.refused(QUOTA);
    }
    assertThat(need.fill()).isEqualTo(0.5);
    flush(100, 0);
    assertThat(need.fill()).as("flushes without hot rows").isEqualTo(0.5);
  }

  @Test
  void shouldGiveAllBackWithinAnHourWithoutARefusal() {
    nowNanos = TimeUnit.DAYS.toNanos(3);
    for (int i = 0; i < 100; i++) {
      need.refused(QUOTA);
    }
    nowNanos += TimeUnit.MINUTES.toNanos(30);
    assertThat(need.fill()).as("a snapshot is gone, nothing is flushed").isEqualTo(0.75);
    need.refused(QUOTA);
    assertThat(need.fill()).as("from where it was").isCloseTo(0.70, within(1e-9));
    nowNanos += TimeUnit.MINUTES.toNanos(36);
    assertThat(need.fill()).isCloseTo(1, within(1e-9));
    nowNanos += TimeUnit.DAYS.toNanos(1);
    assertThat(need.fill()).isOne();
  }

  @Test
  void shouldForgetALargeFlushSlowly() {
    flush(1, 4_000);
    flush(14, 1);
    assertThat(need.roomBytes(QUOTA)).isBetween(3_200L, 3_500L);
  }

  @Test
  void shouldKeepTheMostAfterAFlushThatFoundTooLittle() {
    flush(100, 1_000);
    need.refused(QUOTA);
    assertThat(need.roomBytes(QUOTA)).isBetween(6_990L, 7_000L);
    flush(1, 1);
    assertThat(need.roomBytes(QUOTA)).as("after a small one").isGreaterThan(6_600);
  }
}
