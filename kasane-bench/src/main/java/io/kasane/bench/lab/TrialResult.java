/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.CheckedCells;
import io.kasane.bench.load.LoadRun;
import io.kasane.bench.load.OperationLog;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What a trial showed.
 *
 * @param trial the trial
 * @param samples second by second
 * @param reads latencies of all reads, in microseconds
 * @param updates latencies of all updates, in microseconds
 * @param throughput answered operations per second, mean of the whole run
 * @param steadyThroughput the same, of the last third
 * @param firstMinuteThroughput the same, of the first 60 s; of all if it took less
 * @param limit most operations a second that any placement could allow in the last third; NaN if
 *     unknown
 * @param steadyFastReadShare share of reads served by the fast disk in the last third; NaN if
 *     unknown
 * @param fastReadShare the same, of the whole run
 * @param steadyFirstReadShare share of reads of rows that no client had read before, in the last
 *     third
 * @param slowReadsPerRead requests that the slow disk got per read of a client; NaN if unknown
 * @param steadySlowLookUps slow SSTables that a read looked into, of those that looked into any, in
 *     the last third; NaN if unknown
 * @param sstablesPerRead SSTables that a read looked into, in the last third
 * @param sstablesPerHotKey SSTables of one node that hold a part of a hot key, mean of the hottest
 *     hundredth of the keys in the last third; NaN if nobody looked
 * @param memoryShare share of the reads of files that memory served; NaN if unknown
 * @param bytesWrittenPerUserByte to the data disks, per replica and byte of updated fields; NaN if
 *     unknown
 * @param slowBytesPerUserByte the part of it that went to the slow disk
 * @param compactionBytesPerUserByte the part of it that compaction wrote
 * @param secondsTo90 when throughput first reached 90 % of the last third's, over five seconds
 * @param untouched whether the SSTables that the run began with are all still there
 * @param slowBusy share of the time that the slow disk worked, mean of the nodes; NaN if unknown
 * @param fastBusy share of the time that the fast disk worked, mean of the nodes; NaN if unknown
 * @param nodeCores cores that the nodes used
 * @param clientCores cores that the clients used
 * @param wrongReads cells that were not what they must be
 * @param staleReads cells older than an acknowledged write, where one replica of several answers
 * @param refusedCompactions compactions that Cassandra gave up or cut short for lack of room
 * @param failedOperations that got an error instead of an answer
 * @param firstProblem in words, or null
 */
public record TrialResult(
    Trial trial,
    List<Sample> samples,
    Histogram reads,
    Histogram updates,
    double throughput,
    double steadyThroughput,
    double firstMinuteThroughput,
    double limit,
    double steadyFastReadShare,
    double fastReadShare,
    double steadyFirstReadShare,
    double slowReadsPerRead,
    double steadySlowLookUps,
    double sstablesPerRead,
    double sstablesPerHotKey,
    double memoryShare,
    double bytesWrittenPerUserByte,
    double slowBytesPerUserByte,
    double compactionBytesPerUserByte,
    double secondsTo90,
    boolean untouched,
    double slowBusy,
    double fastBusy,
    double nodeCores,
    double clientCores,
    long wrongReads,
    long staleReads,
    long refusedCompactions,
    long failedOperations,
    String firstProblem) {
  private static final int SMOOTHED_SECONDS = 5;
  private static final int MINUTE_SECONDS = 60;

  static TrialResult of(
      Trial trial,
      List<Sample> samples,
      NodeCounters total,
      long clientCpuNanos,
      boolean untouched,
      double limit,
      CheckedCells cells,
      OperationLog log) {
    Histogram reads = log.reads();
    Histogram updates = log.updates();
    double seconds = samples.stream().mapToDouble(s -> s.load().seconds()).sum();
    List<Sample> steady = samples.subList(samples.size() * 2 / 3, samples.size());
    double steadyThroughput = throughput(steady);
    DiskCounters slow = total.disk(DiskRole.SLOW);
    DiskCounters fast = total.disk(DiskRole.FAST);
    double userBytes = (double) updates.getTotalCount() * CheckedCells.CELL_LENGTH * total.nodes();
    return new TrialResult(
        trial,
        List.copyOf(samples),
        reads,
        updates,
        throughput(samples),
        steadyThroughput,
        throughput(firstMinute(samples)),
        limit,
        fastShare(steady),
        fastShare(samples),
        sum(steady, s -> s.load().firstReads()) / sum(steady, s -> s.load().reads().count()),
        slow.clientReads() / reads.getTotalCount(),
        sum(steady, s -> s.nodes().slowLookUps()) / sum(steady, s -> s.nodes().slowReads()),
        sum(steady, s -> s.nodes().sstables()) / sum(steady, s -> s.nodes().reads()),
        sstablesPerHotKey(samples),
        total.memoryShare(),
        (slow.writtenBytes() + fast.writtenBytes()) / userBytes,
        slow.writtenBytes() / userBytes,
        (slow.compactionWrittenBytes() + fast.compactionWrittenBytes()) / userBytes,
        secondsTo(0.9 * steadyThroughput, samples),
        untouched,
        total.busy(DiskRole.SLOW, seconds),
        total.busy(DiskRole.FAST, seconds),
        total.cpuNanos() / 1e9 / seconds,
        clientCpuNanos / 1e9 / seconds,
        cells.wrong(),
        cells.stale(),
        total.refusedCompactions(),
        log.failed(),
        cells.firstProblem() == null ? log.firstFailure() : cells.firstProblem());
  }

  /** The mean of the last third of the looks, which are fewer than the samples. */
  static double sstablesPerHotKey(List<Sample> samples) {
    double[] looks =
        samples.stream().mapToDouble(Sample::sstablesPerHotKey).filter(Double::isFinite).toArray();
    return Arrays.stream(looks).skip(looks.length * 2L / 3).average().orElse(Double.NaN);
  }

  private static List<Sample> firstMinute(List<Sample> samples) {
    return samples.stream().filter(s -> s.load().atSeconds() <= MINUTE_SECONDS).toList();
  }

  private static double throughput(List<Sample> samples) {
    double seconds = sum(samples, sample -> sample.load().seconds());
    double operations =
        sum(samples, sample -> sample.load().operationsPerSecond() * sample.load().seconds());
    return operations / seconds;
  }

  private static double fastShare(List<Sample> samples) {
    double reads = sum(samples, sample -> sample.load().reads().count());
    double fast = sum(samples, sample -> sample.fastReadShare() * sample.load().reads().count());
    return reads == 0 ? 0 : fast / reads;
  }

  private static double sum(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).sum();
  }

  private static double secondsTo(double operationsPerSecond, List<Sample> samples) {
    for (int end = SMOOTHED_SECONDS; end <= samples.size(); end++) {
      if (throughput(samples.subList(end - SMOOTHED_SECONDS, end)) >= operationsPerSecond) {
        LoadRun.Second last = samples.get(end - 1).load();
        return last.atSeconds();
      }
    }
    return samples.get(samples.size() - 1).load().atSeconds();
  }
}
