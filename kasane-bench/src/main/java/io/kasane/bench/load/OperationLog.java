/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import site.ycsb.Status;

/** Latencies of a run, in microseconds, from many threads. */
public final class OperationLog {
  private static final int DIGITS = 3;

  private final Recorder reads = new Recorder(DIGITS);
  private final Recorder updates = new Recorder(DIGITS);
  private final FirstReads firstReads;
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> firstFailure = new AtomicReference<>();

  /**
   * A log without entries.
   *
   * @param rows that clients may read
   */
  public OperationLog(int rows) {
    firstReads = new FirstReads(rows);
  }

  void read(int row, long nanos, Status status) {
    record(reads, nanos, status);
    firstReads.read(row);
  }

  void update(long nanos, Status status) {
    record(updates, nanos, status);
  }

  private void record(Recorder recorder, long nanos, Status status) {
    if (status.equals(Status.OK)) {
      recorder.recordValue(nanos / 1000);
    } else {
      failed.increment();
      firstFailure.compareAndSet(null, status.getDescription());
    }
  }

  /** Returns the latencies of the reads since the last call. */
  Histogram takeReads() {
    return reads.getIntervalHistogram();
  }

  /** Returns the latencies of the updates since the last call. */
  Histogram takeUpdates() {
    return updates.getIntervalHistogram();
  }

  /** Returns how many reads since the last call were the first of their rows. */
  long takeFirstReads() {
    return firstReads.take();
  }

  /** Returns how many operations failed: timeouts, mostly. */
  public long failed() {
    return failed.sum();
  }

  /** Returns the first failure in words, or null. */
  public String firstFailure() {
    return firstFailure.get();
  }
}
