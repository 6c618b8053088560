/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.load.KeyLaw;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One system under the load: from a table full of old windows on, while the oldest expire. */
final class WindowsTurn {
  private static final int DIGITS = 3;
  private static final int SECOND_MILLIS = 1_000;

  private final WindowsNode node;
  private final WindowsSystem system;
  private final WindowsScale scale;
  private final List<Second> seconds = new ArrayList<>();

  /**
   * What was seen in a second.
   *
   * @param atSeconds since the load began
   */
  record Second(double atSeconds, double readsPerSecond, long slowBytes, long fastBytes) {}

  private record Counters(
      DiskCounters slow,
      DiskCounters fast,
      long fastReads,
      long slowReads,
      long cpuNanos,
      int rows,
      long nanos) {}

  WindowsTurn(WindowsNode node, WindowsSystem system, WindowsScale scale) {
    this.node = node;
    this.system = system;
    this.scale = scale;
  }

  List<Second> seconds() {
    return List.copyOf(seconds);
  }

  WindowsEntry run(KeyLaw law, long seed, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (ReadingsLoad load = new ReadingsLoad(new Readings(node.session()), scale, law, seed)) {
      load.loadHistory(node::flush, progress);
      node.awaitCompactions();
      load.begin();
      Histogram newest = new Histogram(DIGITS);
      Histogram old = new Histogram(DIGITS);
      watch(load, scale.settling(), newest, old, progress);
      newest.reset();
      old.reset();
      int measuredFrom = seconds.size();
      Counters before = counters(load);
      watch(load, scale.measured(), newest, old, progress);
      Counters after = counters(load);
      return entry(load, newest, old, before, after, seconds.subList(measuredFrom, seconds.size()));
    }
  }

  private Counters counters(ReadingsLoad load) throws IOException {
    return new Counters(
        node.disk(DiskRole.SLOW),
        node.disk(DiskRole.FAST),
        node.reads(DiskRole.FAST),
        node.reads(DiskRole.SLOW),
        node.cpuNanos(),
        load.rowsWritten(),
        System.nanoTime());
  }

  private void watch(
      ReadingsLoad load,
      Duration duration,
      Histogram newest,
      Histogram old,
      Consumer<String> progress)
      throws InterruptedException {
    long began = System.nanoTime();
    double atFirst = seconds.isEmpty() ? 0 : seconds.get(seconds.size() - 1).atSeconds();
    double before = 0;
    while (before < duration.toSeconds()) {
      Thread.sleep(SECOND_MILLIS);
      double now = (System.nanoTime() - began) / 1e9;
      Histogram[] taken = load.take();
      newest.add(taken[0]);
      old.add(taken[1]);
      double rate = (taken[0].getTotalCount() + taken[1].getTotalCount()) / (now - before);
      seconds.add(
          new Second(
              atFirst + now,
              rate,
              node.tableBytes(DiskRole.SLOW),
              system.hasFast() ? node.tableBytes(DiskRole.FAST) : 0));
      progress.accept("%.0f s, %,.0f reads/s".formatted(atFirst + now, rate));
      before = now;
    }
  }

  private WindowsEntry entry(
      ReadingsLoad load,
      Histogram newest,
      Histogram old,
      Counters before,
      Counters after,
      List<Second> measured)
      throws IOException {
    double took = (after.nanos() - before.nanos()) / 1e9;
    double reads = newest.getTotalCount() + old.getTotalCount();
    double rowBytes = (double) (after.rows() - before.rows()) * WindowsScale.ROW_BYTES;
    double fastReads = after.fastReads() - before.fastReads();
    double slowReads = after.slowReads() - before.slowReads();
    DiskCounters slow = after.slow().since(before.slow());
    DiskCounters fast = after.fast().since(before.fast());
    return new WindowsEntry(
        system.label(),
        took,
        reads / took,
        newest.getMean(),
        newest.getValueAtPercentile(99),
        old.getMean(),
        old.getValueAtPercentile(99),
        system.isKasane() ? fastReads / (fastReads + slowReads) : null,
        slow.clientReads() / reads,
        (after.rows() - before.rows()) / took,
        slow.writtenBytes() / rowBytes,
        fast.writtenBytes() / rowBytes,
        measured.stream().mapToLong(Second::slowBytes).average().orElse(0),
        measured.stream().mapToLong(Second::slowBytes).max().orElse(0),
        measured.stream().mapToLong(Second::fastBytes).max().orElse(0),
        node.sstables(),
        (after.cpuNanos() - before.cpuNanos()) / 1e9 / took,
        load.wrong(),
        load.failed(),
        load.firstProblem());
  }
}
