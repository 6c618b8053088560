/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kasane.bench.lab.TrialResult;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The results of an experiment, one entry per trial; written as {@code summary.json}.
 *
 * @param experiment its name
 * @param scale its size
 * @param revision of the source
 * @param disks which, and how fast
 * @param systems the trials
 */
public record Summary(
    String experiment, String scale, String revision, String disks, List<Entry> systems) {

  /**
   * One trial in numbers; see {@link TrialResult}. Latencies in microseconds, unknown numbers null.
   */
  public record Entry(
      String name,
      double s,
      String mix,
      String keys,
      double fastShareOfData,
      double throughputOps,
      double steadyThroughputOps,
      long readP50Micros,
      long readP95Micros,
      long readP99Micros,
      long readP999Micros,
      double readMeanMicros,
      long updateP50Micros,
      long updateP95Micros,
      long updateP99Micros,
      long updateP999Micros,
      double fastReadShare,
      double steadyFastReadShare,
      Double slowReadsPerRead,
      double sstablesPerRead,
      Double sstablesPerHotKey,
      double cacheHitShare,
      int cacheMib,
      Double bytesWrittenPerUserByte,
      Double compactionBytesPerUserByte,
      double secondsTo90,
      boolean untouched,
      double slowBusy,
      double fastBusy,
      double nodeCores,
      double clientCores,
      long wrongReads,
      long staleReads,
      long failedOperations,
      String firstProblem) {

    static Entry of(TrialResult result) {
      return new Entry(
          result.trial().contestant().name(),
          result.trial().skew(),
          result.trial().mix().toString(),
          result.trial().law().describe(),
          result.trial().fastShareOfData(),
          result.throughput(),
          result.steadyThroughput(),
          result.reads().getValueAtPercentile(50),
          result.reads().getValueAtPercentile(95),
          result.reads().getValueAtPercentile(99),
          result.reads().getValueAtPercentile(99.9),
          result.reads().getMean(),
          result.updates().getValueAtPercentile(50),
          result.updates().getValueAtPercentile(95),
          result.updates().getValueAtPercentile(99),
          result.updates().getValueAtPercentile(99.9),
          result.fastReadShare(),
          result.steadyFastReadShare(),
          known(result.slowReadsPerRead()),
          result.sstablesPerRead(),
          known(result.sstablesPerHotKey()),
          result.cacheHitShare(),
          result.trial().machine().cacheMib(),
          known(result.bytesWrittenPerUserByte()),
          known(result.compactionBytesPerUserByte()),
          result.secondsTo90(),
          result.untouched(),
          result.slowBusy(),
          result.fastBusy(),
          result.nodeCores(),
          result.clientCores(),
          result.wrongReads(),
          result.staleReads(),
          result.failedOperations(),
          result.firstProblem());
    }

    private static Double known(double value) {
      return Double.isFinite(value) ? value : null;
    }
  }

  /** Sums up trials. */
  public static Summary of(Facts facts, List<TrialResult> results) {
    return new Summary(
        facts.experiment(),
        facts.scale(),
        facts.revision(),
        facts.disks(),
        results.stream().map(Entry::of).toList());
  }

  /** Writes the summary as JSON. */
  public void write(Path file) {
    try {
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw new NodeException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
