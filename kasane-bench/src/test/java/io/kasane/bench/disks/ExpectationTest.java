/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.disks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import org.junit.jupiter.api.Test;

class ExpectationTest {
  @Test
  void aHardDiskServesSome79RandomReads() {
    Expectation one = Expectation.of(HardDiskSpec.SATA_7200, new Cell(false, false, 1));
    assertThat(one.perSecond()).isCloseTo(78.8, within(0.2));
    assertThat(one.meanMillis()).isCloseTo(12.7, within(0.05));
    assertThat(one.p99Millis()).isBetween(19.0, 23.0);

    Expectation many = Expectation.of(HardDiskSpec.SATA_7200, new Cell(false, true, 16));
    assertThat(many.perSecond()).isEqualTo(one.perSecond());
    assertThat(many.meanMillis()).isCloseTo(16 * one.meanMillis(), within(0.01));
    assertThat(many.p99Millis()).isBetween(many.meanMillis(), 16 * one.p99Millis());
  }

  @Test
  void aHardDiskStreamsForOneJobOnly() {
    Expectation one = Expectation.of(HardDiskSpec.SATA_7200, new Cell(true, false, 1));
    assertThat(one.perSecond() * (1 << 20)).isCloseTo(125e6, within(1.0));

    Expectation many = Expectation.of(HardDiskSpec.SATA_7200, new Cell(true, false, 16));
    assertThat(many.perSecond()).isCloseTo(1000 / (12.667 + 8.389), within(0.1));
  }

  @Test
  void aSolidStateDiskServesItsChannelsUpToItsBus() {
    Expectation one = Expectation.of(SolidStateSpec.SATA, new Cell(false, false, 1));
    assertThat(one.meanMillis()).isCloseTo(0.168, within(0.001));

    Expectation many = Expectation.of(SolidStateSpec.SATA, new Cell(false, false, 16));
    assertThat(many.perSecond()).isCloseTo(8 * one.perSecond(), within(1.0));
    assertThat(many.meanMillis()).isCloseTo(2 * one.meanMillis(), within(0.001));

    Expectation stream = Expectation.of(SolidStateSpec.SATA, new Cell(true, true, 16));
    assertThat(stream.perSecond() * (1 << 20)).isCloseTo(500e6, within(1.0));
  }
}
