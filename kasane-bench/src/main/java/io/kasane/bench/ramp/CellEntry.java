/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.load.RunResult;
import org.HdrHistogram.Histogram;

/**
 * One cell in numbers, for {@code summary.json}; see {@link CellResult}. Latencies in microseconds;
 * null where there was no such transaction.
 */
record CellEntry(
    String name,
    int size,
    double readShare,
    String keysLaw,
    int keys,
    int valueBytes,
    int clients,
    double seconds,
    double throughputTransactions,
    Double readMeanMicros,
    Long readP50Micros,
    Long readP95Micros,
    Long readP99Micros,
    Double writeMeanMicros,
    Long writeP50Micros,
    Long writeP95Micros,
    Long writeP99Micros,
    Double roundsPerRead,
    Double secondRoundShare,
    long fracturedReads,
    long incompleteReads,
    long reads,
    long writes,
    long failed,
    double versionsPerKey,
    double bytesPerKey,
    double loadAverage,
    String firstFailure) {
  static CellEntry of(CellResult result) {
    Shape shape = result.cell().shape();
    RunResult run = result.run();
    return new CellEntry(
        result.cell().system(),
        shape.size(),
        shape.readShare(),
        shape.law(),
        shape.keys(),
        shape.valueBytes(),
        shape.clients(),
        run.seconds(),
        run.throughput(),
        mean(run.readTimes()),
        percentile(run.readTimes(), 50),
        percentile(run.readTimes(), 95),
        percentile(run.readTimes(), 99),
        mean(run.writeTimes()),
        percentile(run.writeTimes(), 50),
        percentile(run.writeTimes(), 95),
        percentile(run.writeTimes(), 99),
        known(run.roundsPerRead()),
        known(run.secondRoundShare()),
        run.fracturedReads(),
        run.incompleteReads(),
        run.reads(),
        run.writes(),
        run.failed(),
        result.versionsPerKey(),
        result.bytesPerKey(),
        result.loadAverage(),
        run.firstFailure());
  }

  private static Double mean(Histogram times) {
    return times.getTotalCount() == 0 ? null : times.getMean() / 1e3;
  }

  private static Long percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? null : times.getValueAtPercentile(percent) / 1_000;
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
