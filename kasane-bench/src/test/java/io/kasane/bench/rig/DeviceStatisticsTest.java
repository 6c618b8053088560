/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceStatisticsTest {
  private static final List<String> LINES =
      List.of(
          "   7       1 loop1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
          " 254       0 vda 10 1 200 339 40 2 800 1866 0 89 2700 877 28 127 133 187 360",
          " 254      01 broken");

  @Test
  void shouldReadTheColumnsOfOneDevice() {
    assertThat(DeviceStatistics.parse(LINES, new DeviceNumber(254, 0)))
        .contains(new DeviceStatistics(10, 200 * 512, 40, 800 * 512, 89_000_000));
  }

  @Test
  void shouldNotKnowADeviceThatTheKernelDoesNotCount() {
    assertThat(DeviceStatistics.parse(LINES, new DeviceNumber(0, 42))).isEmpty();
    assertThat(DeviceStatistics.parse(LINES, new DeviceNumber(254, 1))).isEmpty();
  }

  @Test
  void shouldTakeDeviceNumbersApart() {
    assertThat(DeviceNumber.decode(0xfe00)).isEqualTo(new DeviceNumber(254, 0));
    assertThat(DeviceNumber.decode(0x801)).hasToString("8:1");
    // A minor number above 255 is in two pieces.
    assertThat(DeviceNumber.decode(0x10_0305)).isEqualTo(new DeviceNumber(3, 0x105));
  }
}
