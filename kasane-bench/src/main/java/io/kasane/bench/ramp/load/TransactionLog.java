/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.ramp.system.Reading;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** What clients saw and how long they waited, from many threads. */
final class TransactionLog {
  private static final int DIGITS = 3;

  private final Recorder reads = new Recorder(DIGITS);
  private final Recorder writes = new Recorder(DIGITS);
  private final LongAdder fractured = new LongAdder();
  private final LongAdder rounds = new LongAdder();
  private final LongAdder secondRounds = new LongAdder();
  private final LongAdder incomplete = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> firstFailure = new AtomicReference<>();

  void read(long nanos, int keys, Reading reading) {
    reads.recordValue(nanos);
    rounds.add(reading.rounds());
    secondRounds.add(reading.rounds() > 1 ? 1 : 0);
    fractured.add(Fractures.isFractured(reading) ? 1 : 0);
    // Every key was written before the run and none is ever deleted.
    incomplete.add(reading.values().size() < keys ? 1 : 0);
  }

  void wrote(long nanos) {
    writes.recordValue(nanos);
  }

  void failed(String problem) {
    failed.increment();
    firstFailure.compareAndSet(null, problem);
  }

  /** What came in, of a run that is over. */
  RunResult result(double seconds) {
    Histogram readTimes = reads.getIntervalHistogram();
    Histogram writeTimes = writes.getIntervalHistogram();
    return new RunResult(
        seconds,
        readTimes,
        writeTimes,
        rounds.sum(),
        secondRounds.sum(),
        fractured.sum(),
        incomplete.sum(),
        failed.sum(),
        firstFailure.get());
  }
}
