/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

class OperationLogTest {
  private static final long MILLI = 1_000_000;

  @TempDir private Path dir;

  @Test
  void shouldTakeIntervalsAndKeepThemInAFile() throws IOException {
    Path file = dir.resolve("run.hlog");
    try (OperationLog log = new OperationLog(10, file)) {
      log.read(1, 2 * MILLI, Status.OK);
      log.read(1, 4 * MILLI, Status.OK);
      log.update(8 * MILLI, Status.ERROR);
      LoadRun.Second first = log.take(0, 1);
      assertThat(first.reads().count()).isEqualTo(2);
      assertThat(first.reads().meanMicros()).isBetween(2_900.0, 3_100.0);
      assertThat(first.reads().p99Micros()).isBetween(3_990L, 4_010L);
      assertThat(first.updates()).isEqualTo(new Latencies(0, 0, 0, 0));
      assertThat(first.firstReads()).isEqualTo(1);

      log.update(8 * MILLI, Status.OK);
      LoadRun.Second second = log.take(1, 3);
      assertThat(second.reads().count()).isZero();
      assertThat(second.operationsPerSecond()).isEqualTo(0.5);
      assertThat(log.reads().getTotalCount()).isEqualTo(2);
      assertThat(log.updates().getTotalCount()).isEqualTo(1);
      assertThat(log.failed()).isEqualTo(1);
    }
    List<Histogram> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        intervals.add((Histogram) next);
      }
    }
    assertThat(intervals)
        .extracting(Histogram::getTag)
        .containsExactly("reads", "updates", "reads", "updates");
    assertThat(intervals).extracting(Histogram::getTotalCount).containsExactly(2L, 0L, 0L, 1L);
  }

  /** A histogram of each second of all trials of an experiment is more than memory holds. */
  @Test
  void shouldHoldLittleOfALongRun() {
    OperationLog log = OperationLog.unwritten(10);
    List<LoadRun.Second> seconds = new ArrayList<>();
    long before = heldBytes();
    for (int second = 0; second < 500; second++) {
      log.read(0, 1_000 * MILLI, Status.OK);
      log.update(1_000 * MILLI, Status.OK);
      seconds.add(log.take(second, second + 1));
    }
    assertThat(heldBytes() - before).as("bytes").isLessThan(20 << 20);
    assertThat(seconds).allMatch(second -> second.operationsPerSecond() == 2);
  }

  private static long heldBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void shouldSayThatTheFileIsNotWhole() throws IOException {
    OperationLog log = new OperationLog(10, Path.of("/dev/full"));
    log.read(0, MILLI, Status.OK);
    log.take(0, 1);
    assertThatThrownBy(log::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/dev/full: is its disk full?");
  }
}
