/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;

/**
 * Reads of whole rows and updates of one field, as YCSB's core workload does them, with every read
 * checked. Needs a {@link CqlBinding}: the version of a cell is its timestamp, so that the newest
 * version wins whatever order updates of one cell arrive in.
 */
public final class CheckedWorkload extends Workload {
  static {
    Properties dueTimes = new Properties();
    dueTimes.setProperty("measurement.interval", "intended");
    Measurements.setProperties(dueTimes);
  }

  private final KeyLaw law;
  private final Mix mix;
  private final CheckedCells cells;
  private final OperationLog log;
  private final DoubleSupplier progress;
  private final long firstTimestampMicros;
  private final ThreadLocal<SplittableRandom> randoms;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  /**
   * Describes a load.
   *
   * @param progress how much of the run is over, 0 to 1
   * @param firstTimestampMicros later than any write of these rows so far
   */
  public CheckedWorkload(
      KeyLaw law,
      Mix mix,
      CheckedCells cells,
      OperationLog log,
      DoubleSupplier progress,
      long firstTimestampMicros,
      long seed) {
    this.law = law;
    this.mix = mix;
    this.cells = cells;
    this.log = log;
    this.progress = progress;
    this.firstTimestampMicros = firstTimestampMicros;
    this.randoms = PerThread.randoms(seed);
  }

  @Override
  public boolean doInsert(DB db, Object threadState) {
    throw new UnsupportedOperationException("rows are loaded before the run");
  }

  /** YCSB's thread would end the process, with exit code 0, if this threw. */
  @Override
  public boolean doTransaction(DB db, Object threadState) {
    try {
      operate(db);
      return true;
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      requestStop();
      return false;
    }
  }

  /** Returns what broke the load, or null: a mistake of ours, not an operation that failed. */
  RuntimeException failure() {
    return failure.get();
  }

  private void operate(DB db) {
    double now = progress.getAsDouble();
    SplittableRandom random = randoms.get();
    if (random.nextDouble() < mix.readShare(now)) {
      read(db, law.next(now));
    } else {
      update((CqlBinding) db, law.nextUpdate(now), random.nextInt(Table.FIELDS));
    }
  }

  /** Now, unless the thread sends at a rate. */
  private static long dueNanos() {
    return Measurements.getMeasurements().getIntendedtartTimeNs();
  }

  private void read(DB db, int row) {
    int[] oldest = cells.oldestAllowed(row);
    Map<String, ByteIterator> result = new HashMap<>();
    long begin = dueNanos();
    Status status = db.read(Table.NAME, Table.key(row), null, result);
    log.read(row, System.nanoTime() - begin, status);
    if (status.equals(Status.OK) || status.equals(Status.NOT_FOUND)) {
      for (int field = 0; field < Table.FIELDS; field++) {
        ByteIterator value = result.get(Table.FIELD_NAMES.get(field));
        cells.check(row, field, oldest[field], value == null ? null : value.toString());
      }
    }
  }

  private void update(CqlBinding db, int row, int field) {
    int version = cells.nextVersion(row, field);
    Map<String, ByteIterator> values =
        Map.of(
            Table.FIELD_NAMES.get(field),
            new StringByteIterator(CheckedCells.text(row, field, version)));
    long begin = dueNanos();
    Status status = db.update(Table.key(row), values, firstTimestampMicros + version);
    log.update(System.nanoTime() - begin, status);
    if (status.equals(Status.OK)) {
      cells.acknowledge(row, field, version);
    }
  }
}
