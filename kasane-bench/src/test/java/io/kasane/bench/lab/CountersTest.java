/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
  private static final int READS = 10;

  private static NodeCounters counters(DiskCounters fast, long fastReads, long slowReads) {
    return new NodeCounters(
        1,
        Map.of(DiskRole.SLOW, new DiskCounters(30, 10, 0, 0, 0), DiskRole.FAST, fast),
        fastReads,
        slowReads,
        0,
        READS,
        0,
        0,
        0,
        0);
  }

  @Test
  void shouldTakeTheShareOfDiskRequestsWithoutKasane() {
    assertThat(counters(new DiskCounters(10, 50, 0, 0, 0), 0, 0).fastReadShare()).isEqualTo(0.25);
  }

  @Test
  void shouldTellWhatMemoryServed() {
    assertThat(counters(new DiskCounters(10, 50, 0, 0, 0), 0, 0).memoryShare()).isEqualTo(0.6);
    assertThat(counters(DiskCounters.UNKNOWN, 0, 0).memoryShare()).isNaN();
  }

  @Test
  void shouldNotTellAShareOfUnknownRequests() {
    assertThat(counters(DiskCounters.UNKNOWN, 0, 0).fastReadShare()).isNaN();
    assertThat(DiskCounters.UNKNOWN.since(DiskCounters.NONE)).isEqualTo(DiskCounters.UNKNOWN);
  }

  @Test
  void shouldPreferWhatKasaneCounts() {
    assertThat(counters(DiskCounters.UNKNOWN, 3, 1).fastReadShare()).isEqualTo(0.75);
  }

  @Test
  void shouldCountWhatMemtablesAnswerAsReadsThatDidNotNeedSlow() {
    assertThat(counters(DiskCounters.UNKNOWN, 3, 1).slowReadShare()).isEqualTo(0.1);
    assertThat(counters(DiskCounters.UNKNOWN, 0, READS + 1).slowReadShare()).isEqualTo(1);
    assertThat(counters(DiskCounters.UNKNOWN, 0, 0).slowReadShare()).isNaN();
  }
}
