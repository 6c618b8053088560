/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.TrialResult;

/**
 * One trial in numbers, for {@code summary.json}; see {@link TrialResult}. Latencies in
 * microseconds, unknown numbers null.
 */
record TrialEntry(
    String name,
    double s,
    String mix,
    String keys,
    double fastShareOfData,
    double throughputOps,
    double steadyThroughputOps,
    double firstMinuteThroughputOps,
    Double limitOps,
    long readP50Micros,
    long readP95Micros,
    long readP99Micros,
    long readP999Micros,
    double readMeanMicros,
    long updateP50Micros,
    long updateP95Micros,
    long updateP99Micros,
    long updateP999Micros,
    Double fastReadShare,
    Double steadyFastReadShare,
    Double steadyFirstReadShare,
    Double slowReadsPerRead,
    Double steadySlowLookUps,
    double sstablesPerRead,
    Double sstablesPerHotKey,
    Double memoryShare,
    int cacheMib,
    Double bytesWrittenPerUserByte,
    Double slowBytesPerUserByte,
    Double compactionBytesPerUserByte,
    double secondsTo90,
    boolean untouched,
    Double slowBusy,
    Double fastBusy,
    double nodeCores,
    double clientCores,
    long wrongReads,
    long staleReads,
    long refusedCompactions,
    long failedOperations,
    String firstProblem) {

  static TrialEntry of(TrialResult result) {
    return new TrialEntry(
        result.trial().contestant().name(),
        result.trial().skew(),
        result.trial().mix().toString(),
        result.trial().law().describe(),
        result.trial().fastShareOfData(),
        result.throughput(),
        result.steadyThroughput(),
        result.firstMinuteThroughput(),
        known(result.limit()),
        result.reads().getValueAtPercentile(50),
        result.reads().getValueAtPercentile(95),
        result.reads().getValueAtPercentile(99),
        result.reads().getValueAtPercentile(99.9),
        result.reads().getMean(),
        result.updates().getValueAtPercentile(50),
        result.updates().getValueAtPercentile(95),
        result.updates().getValueAtPercentile(99),
        result.updates().getValueAtPercentile(99.9),
        known(result.fastReadShare()),
        known(result.steadyFastReadShare()),
        known(result.steadyFirstReadShare()),
        known(result.slowReadsPerRead()),
        known(result.steadySlowLookUps()),
        result.sstablesPerRead(),
        known(result.sstablesPerHotKey()),
        known(result.memoryShare()),
        result.trial().machine().cacheMib(),
        known(result.bytesWrittenPerUserByte()),
        known(result.slowBytesPerUserByte()),
        known(result.compactionBytesPerUserByte()),
        result.secondsTo90(),
        result.untouched(),
        known(result.slowBusy()),
        known(result.fastBusy()),
        result.nodeCores(),
        result.clientCores(),
        result.wrongReads(),
        result.staleReads(),
        result.refusedCompactions(),
        result.failedOperations(),
        result.firstProblem());
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
