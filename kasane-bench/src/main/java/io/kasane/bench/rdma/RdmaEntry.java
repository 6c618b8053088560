/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.kasane.bench.ramp.load.RunResult;
import java.util.Collections;
import org.HdrHistogram.Histogram;

/**
 * One cell in numbers, for {@code summary.json}. What was not seen is left out.
 *
 * @param name of the system
 * @param throughputLeast of the turns, transactions a second
 * @param throughputMost of the turns
 * @param serverCpuMicrosPerTransaction see {@link Measured#serverMicros}
 * @param serverProcessMicrosPerTransaction polling included
 * @param oneSidedShare of the keys that were read
 * @param fallbacks keys that servers were asked for, though they might have been read without
 * @param tornReads of the fallbacks: slots that were written all the time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RdmaEntry(
    String name,
    String store,
    String transport,
    String fabric,
    int size,
    double readShare,
    int keys,
    int valueBytes,
    double arenaShare,
    int clients,
    double throughputTransactions,
    double throughputLeast,
    double throughputMost,
    Double readMeanMicros,
    Double readP50Micros,
    Double readP99Micros,
    Double writeMeanMicros,
    double serverCpuMicrosPerTransaction,
    double serverProcessMicrosPerTransaction,
    double oneSidedShare,
    long fallbacks,
    double secondRoundShare,
    long fracturedReads,
    long tornReads,
    long reads,
    long writes,
    long failed,
    String firstFailure) {
  static RdmaEntry of(Measured one) {
    Shape shape = one.shape();
    RunResult run = one.run();
    return new RdmaEntry(
        one.contestant().system(),
        one.contestant().store().label(),
        one.contestant().transport().label(),
        one.contestant().transport().fabric(),
        shape.size(),
        shape.readShare(),
        shape.keys(),
        shape.valueBytes(),
        shape.arenaShare(),
        one.clients(),
        run.throughput(),
        Collections.min(one.throughputs()),
        Collections.max(one.throughputs()),
        mean(run.readTimes()),
        percentile(run.readTimes(), 50),
        percentile(run.readTimes(), 99),
        mean(run.writeTimes()),
        one.serverMicros(),
        one.serverCpu().toNanos() / 1e3 / one.transactions(),
        one.oneSided().share(),
        one.oneSided().fallbacks(),
        run.reads() == 0 ? 0 : run.secondRoundShare(),
        run.fracturedReads(),
        one.oneSided().torn(),
        run.reads(),
        run.writes(),
        run.failed(),
        run.firstFailure());
  }

  private static Double mean(Histogram times) {
    return times.getTotalCount() == 0 ? null : times.getMean() / 1e3;
  }

  private static Double percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? null : times.getValueAtPercentile(percent) / 1e3;
  }
}
