/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SolidStateDiskTest {
  private static final SolidStateSpec SPEC = SolidStateSpec.SATA;
  private static final int BLOCK = 4 << 10;
  private static final int REQUESTS = 100_000;

  /** 4 KiB at 500 MB/s. */
  private static final double TRANSFER_MILLIS = 0.0082;

  @ParameterizedTest
  @CsvSource({"1, false, 0.160", "1, true, 0.060", "8, false, 0.160", "8, true, 0.060"})
  void shouldServeAsManyAtOnceAsItHasChannels(int jobs, boolean write, double heldMillis) {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), jobs, false, write, BLOCK, REQUESTS);

    double each = heldMillis + TRANSFER_MILLIS;
    assertThat(run.meanMillis()).isCloseTo(each, withinPercentage(2));
    assertThat(run.percentileMillis(99)).isCloseTo(each, withinPercentage(2));
    assertThat(run.perSecond()).isCloseTo(jobs * 1000 / each, withinPercentage(2));
  }

  @Test
  void shouldQueueWhatComesAtFullChannels() {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), 16, false, false, BLOCK, REQUESTS);

    double each = 0.160 + TRANSFER_MILLIS;
    assertThat(run.perSecond()).isCloseTo(8 * 1000 / each, withinPercentage(2));
    assertThat(run.meanMillis()).isCloseTo(2 * each, withinPercentage(2));
  }

  @Test
  void shouldCarryNoMoreThanTheBus() {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), 16, true, false, 1 << 20, 20_000);

    assertThat(run.perSecond() * (1 << 20)).isCloseTo(500e6, withinPercentage(2));
  }

  @Test
  void shouldBeFasterInEverythingUnderTimeLapse() {
    ClosedLoop run = ClosedLoop.run(SPEC.faster(2).open(1), 1, false, false, BLOCK, REQUESTS);

    assertThat(run.meanMillis()).isCloseTo((0.160 + TRANSFER_MILLIS) / 2, withinPercentage(2));
  }

  @Test
  void shouldRefuseFiguresThatMakeNoDisk() {
    assertThatThrownBy(() -> new SolidStateSpec(0, 1, 1, 1, 0)).hasMessageContaining("channels 0");
    assertThatThrownBy(() -> new SolidStateSpec(1, 1, 1, 0, 0)).hasMessageContaining("bus 0");
  }
}
