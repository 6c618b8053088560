/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardDiskTest {
  private static final int BLOCK = 16 << 10;
  private static final int REQUESTS = 200_000;
  private static final HardDiskSpec SPEC = HardDiskSpec.SATA_7200;

  /** 8.5 ms of seek, half a turn of 8.33 ms, 16 KiB at 125 MB/s. */
  private static final double RANDOM_MILLIS = 8.5 + 4.1667 + 0.1311;

  @ParameterizedTest
  @CsvSource({"1, false", "16, false", "1, true", "16, true"})
  void shouldServeRandomRequestsAsItsDataSheetSays(int jobs, boolean write) {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), jobs, false, write, BLOCK, REQUESTS);

    assertThat(run.perSecond()).isCloseTo(1000 / RANDOM_MILLIS, withinPercentage(1));
    assertThat(run.meanMillis()).isCloseTo(jobs * RANDOM_MILLIS, withinPercentage(1));
    assertThat(run.percentileMillis(99)).isCloseTo(expectedP99Millis(jobs), withinPercentage(2));
  }

  /** The sum of the services of a full queue, drawn from the law of the distance itself. */
  private static double expectedP99Millis(int jobs) {
    Random random = new Random(5);
    double[] sums = new double[REQUESTS];
    for (int i = 0; i < sums.length; i++) {
      for (int j = 0; j < jobs; j++) {
        double distance = 1 - Math.sqrt(1 - random.nextDouble()); // density 2 (1 - d)
        double seek = 0.8 + (8.5 - 0.8) / (8.0 / 15) * Math.sqrt(distance);
        sums[i] += seek + random.nextDouble() * 60_000 / 7_200 + 0.1311;
      }
    }
    Arrays.sort(sums);
    return sums[(int) (sums.length * 0.99)];
  }

  @Test
  void shouldStreamWhenNobodyElseMovesTheHead() {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), 1, true, false, 1 << 20, 10_000);

    assertThat(run.perSecond() * (1 << 20)).isCloseTo(125e6, withinPercentage(1));
  }

  @Test
  void shouldSeekBetweenTwoStreams() {
    ClosedLoop run = ClosedLoop.run(SPEC.open(1), 2, true, false, 1 << 20, 20_000);

    double eachMillis = 8.5 + 4.1667 + (1 << 20) / 125e3;
    assertThat(run.perSecond()).isCloseTo(1000 / eachMillis, withinPercentage(1));
  }

  @Test
  void shouldServeInOrder() {
    Disk disk = SPEC.open(3);
    long last = 0;
    for (int i = 0; i < 100; i++) {
      long done = disk.submit(new Request(i, 0, BLOCK, false), i);
      assertThat(done).isGreaterThan(last);
      last = done;
    }
    assertThat(disk.busyNanos()).isEqualTo(last);
  }

  @Test
  void shouldRepeatItself() {
    ClosedLoop one = ClosedLoop.run(SPEC.open(9), 4, false, false, BLOCK, 1000);
    ClosedLoop other = ClosedLoop.run(SPEC.open(9), 4, false, false, BLOCK, 1000);

    assertThat(one.meanMillis()).isEqualTo(other.meanMillis());
  }

  @Test
  void shouldBeFasterInEverythingUnderTimeLapse() {
    ClosedLoop run = ClosedLoop.run(SPEC.faster(4).open(1), 1, false, false, BLOCK, REQUESTS);

    assertThat(run.meanMillis()).isCloseTo(RANDOM_MILLIS / 4, withinPercentage(1));
  }

  @Test
  void shouldRefuseFiguresThatMakeNoDisk() {
    assertThatThrownBy(() -> new HardDiskSpec(1, 2, 0, 1, 0))
        .hasMessageContaining("0 <= track <= average");
    assertThatThrownBy(() -> new HardDiskSpec(2, 1, 0, 0, 0)).hasMessageContaining("transfer 0");
    assertThatThrownBy(() -> DiskSpec.named("floppy")).hasMessageContaining("hdd-7200 or ssd-sata");
  }
}
