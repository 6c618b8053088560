/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.HdrHistogram.Recorder;
import site.ycsb.Status;

/**
 * Latencies of a run, in microseconds, from many threads. One thread takes what came in, interval
 * by interval: the histograms go to a file, since those of a long run are more than memory holds.
 */
public final class OperationLog implements AutoCloseable {
  private static final int DIGITS = 3;

  private final Recorder readRecorder = new Recorder(DIGITS);
  private final Recorder updateRecorder = new Recorder(DIGITS);
  private final Histogram reads = new Histogram(DIGITS);
  private final Histogram updates = new Histogram(DIGITS);
  private final FirstReads firstReads;
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> firstFailure = new AtomicReference<>();
  private final String name;
  private final PrintStream file;
  private final HistogramLogWriter writer;

  /**
   * A log without entries.
   *
   * @param rows that clients may read
   * @param file gets the histograms of each interval; replaced if it exists
   */
  public OperationLog(int rows, Path file) throws IOException {
    this(rows, file.toString(), Files.newOutputStream(file));
  }

  private OperationLog(int rows, String name, OutputStream out) {
    this.name = name;
    firstReads = new FirstReads(rows);
    file = new PrintStream(out, false, StandardCharsets.UTF_8);
    writer = new HistogramLogWriter(file);
    writer.outputComment("latencies in microseconds");
    writer.outputLogFormatVersion();
    writer.outputLegend();
  }

  /** A log that is not written anywhere. */
  public static OperationLog unwritten(int rows) {
    return new OperationLog(rows, "nowhere", OutputStream.nullOutputStream());
  }

  void read(int row, long nanos, Status status) {
    record(readRecorder, nanos, status);
    firstReads.read(row);
  }

  void update(long nanos, Status status) {
    record(updateRecorder, nanos, status);
  }

  private void record(Recorder recorder, long nanos, Status status) {
    if (status.equals(Status.OK)) {
      recorder.recordValue(nanos / 1000);
    } else {
      failed.increment();
      firstFailure.compareAndSet(null, status.getDescription());
    }
  }

  /** Takes what came in since the last call; both times count from the beginning of the run. */
  LoadRun.Second take(double fromSeconds, double atSeconds) {
    return new LoadRun.Second(
        atSeconds,
        atSeconds - fromSeconds,
        take(readRecorder, reads, "reads", fromSeconds, atSeconds),
        take(updateRecorder, updates, "updates", fromSeconds, atSeconds),
        firstReads.take());
  }

  private Latencies take(
      Recorder recorder, Histogram all, String tag, double fromSeconds, double atSeconds) {
    Histogram interval = recorder.getIntervalHistogram();
    all.add(interval);
    interval.setTag(tag);
    writer.outputIntervalHistogram(fromSeconds, atSeconds, interval, 1);
    return Latencies.of(interval);
  }

  /** Returns the latencies of all reads that were taken. */
  public Histogram reads() {
    return reads;
  }

  /** Returns the latencies of all updates that were taken. */
  public Histogram updates() {
    return updates;
  }

  /** Returns how many operations failed: timeouts, mostly. */
  public long failed() {
    return failed.sum();
  }

  /** Returns the first failure in words, or null. */
  public String firstFailure() {
    return firstFailure.get();
  }

  /**
   * Closes the file.
   *
   * @throws IOException if it is not whole
   */
  @Override
  public void close() throws IOException {
    file.close();
    if (file.checkError()) {
      throw new IOException("could not write all latencies to " + name + ": is its disk full?");
    }
  }
}
