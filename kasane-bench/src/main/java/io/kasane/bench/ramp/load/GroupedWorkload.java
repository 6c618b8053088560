/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.load.KeyLaw;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;

/**
 * YCSB operations in groups: each transaction reads, or updates, some keys that are drawn anew,
 * each once, as in the experiments of the RAMP paper. Needs {@link SystemBinding}s.
 */
final class GroupedWorkload extends Workload {
  static {
    // YCSB's threads want to know how to measure, though latencies are measured here.
    Measurements.setProperties(new Properties());
  }

  private static final String TABLE = "transactions";

  private final TransactionLoad load;
  private final KeyLaw law;
  private final AtomicReference<TransactionLog> log;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final ThreadLocal<SplittableRandom> randoms;

  /**
   * Describes a load.
   *
   * @param log where transactions that begin now are written
   */
  GroupedWorkload(TransactionLoad load, KeyLaw law, AtomicReference<TransactionLog> log) {
    this.load = load;
    this.law = law;
    this.log = log;
    AtomicLong next = new AtomicLong(load.seed() * 1_000_003);
    this.randoms = ThreadLocal.withInitial(() -> new SplittableRandom(next.getAndIncrement()));
  }

  @Override
  public boolean doInsert(DB db, Object threadState) {
    throw new UnsupportedOperationException("rows are written before the run");
  }

  /** YCSB's thread would end the process, with exit code 0, if this threw. */
  @Override
  public boolean doTransaction(DB db, Object threadState) {
    try {
      SplittableRandom random = randoms.get();
      transaction((SystemBinding) db, random.nextDouble() < load.readShare(), random);
      return true;
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      requestStop();
      return false;
    }
  }

  /** What broke the load, or null: a mistake of ours, not a transaction that failed. */
  RuntimeException failure() {
    return failure.get();
  }

  private void transaction(SystemBinding db, boolean reads, SplittableRandom random) {
    Set<Integer> keys = new LinkedHashSet<>();
    while (keys.size() < load.size()) {
      keys.add(law.next(0));
    }
    Map<String, ByteIterator> values = new HashMap<>();
    if (!reads) {
      byte[] payload = new byte[load.valueBytes()];
      random.nextBytes(payload);
      values.put(SystemBinding.FIELD, new ByteArrayByteIterator(payload));
    }
    TransactionLog mine = log.get();
    long began = System.nanoTime();
    db.begin();
    for (int key : keys) {
      String name = Integer.toString(key);
      if (reads) {
        db.read(TABLE, name, null, new HashMap<>());
      } else {
        db.update(TABLE, name, values);
      }
    }
    Status status = db.commit();
    long nanos = System.nanoTime() - began;
    if (!status.isOk()) {
      mine.failed(status.getDescription());
    } else if (reads) {
      mine.read(nanos, load.size(), db.reading());
    } else {
      mine.wrote(nanos);
    }
  }
}
