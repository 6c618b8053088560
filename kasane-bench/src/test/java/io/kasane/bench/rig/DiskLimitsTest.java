/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import org.junit.jupiter.api.Test;

class DiskLimitsTest {
  @Test
  void shouldAllowAHardDiskSeventyEightRandomRequests() {
    DiskLimits limits = DiskLimits.of(HardDiskSpec.SATA_7200);

    assertThat(limits).isEqualTo(new DiskLimits(78, 78, 125_000_000));
  }

  @Test
  void shouldAllowEightTimesAsManyInTimeLapse() {
    DiskLimits limits = DiskLimits.of(HardDiskSpec.SATA_7200.faster(8));

    assertThat(limits).isEqualTo(new DiskLimits(625, 625, 1_000_000_000));
  }

  @Test
  void shouldAllowChipsWhatAllChannelsDoTogether() {
    DiskLimits limits = DiskLimits.of(SolidStateSpec.SATA);

    // 8 channels, 160 + 32.768 µs a read and 60 + 32.768 µs a write of 16 KiB.
    assertThat(limits).isEqualTo(new DiskLimits(41_501, 86_237, 500_000_000));
  }

  @Test
  void shouldWriteALineOfVersionTwo() {
    String line = new DiskLimits(78, 79, 1_000).unified(new DeviceNumber(7, 3));

    assertThat(line).isEqualTo("7:3 rbps=1000 wbps=1000 riops=78 wiops=79");
  }

  @Test
  void shouldBeBusyByTheBudgetThatIsUsedMost() {
    DiskLimits limits = new DiskLimits(100, 50, 1_000_000);

    assertThat(limits.busyNanos(new DeviceStatistics(50, 0, 0, 0, 0))).isEqualTo(0.5e9);
    assertThat(limits.busyNanos(new DeviceStatistics(50, 0, 50, 0, 0))).isEqualTo(1e9);
    assertThat(limits.busyNanos(new DeviceStatistics(50, 0, 1, 3_000_000, 0))).isEqualTo(3e9);
  }
}
