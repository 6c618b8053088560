/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that read and write at LOCAL_QUORUM while nodes come and go, most of all a few rows. Each
 * thread writes rows of its own, and each read is checked against what was acknowledged.
 */
final class RehearsalClients implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int HOT = 100;
  private static final long PAUSE_NANOS = 4_000_000;

  private final CqlSession session;
  private final int rows;
  private final AtomicLongArray acknowledged;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicReference<String> firstProblem = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ends;

  /** What they saw. */
  record Sums(long answered, long failed, long wrong) {}

  /** Begins at once; closes the session in the end. */
  RehearsalClients(CqlSession session, int rows) {
    this.session = session;
    this.rows = rows;
    this.acknowledged = new AtomicLongArray(rows);
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> run(number), "client-" + i);
      thread.start();
      threads.add(thread);
    }
  }

  static String text(int id) {
    return ("row " + id + " ").repeat(80);
  }

  private void run(int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    while (!ends) {
      int id = random.nextInt(10) < 8 ? random.nextInt(HOT) : random.nextInt(rows);
      try {
        if (id % THREADS == thread && random.nextInt(4) == 0) {
          write(id);
        } else {
          read(id);
        }
        answered.incrementAndGet();
      } catch (DriverException e) {
        failed.incrementAndGet();
        firstProblem.compareAndSet(null, e.toString());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void write(int id) {
    long version = System.nanoTime();
    session.execute(
        SimpleStatement.newInstance("UPDATE k.t SET version = ? WHERE id = ?", version, id)
            .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
            .setIdempotent(true));
    acknowledged.set(id, version);
  }

  private void read(int id) {
    long least = acknowledged.get(id);
    Row row =
        session
            .execute(
                SimpleStatement.newInstance("SELECT version, v FROM k.t WHERE id = ?", id)
                    .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                    .setIdempotent(true))
            .one();
    if (row == null || !text(id).equals(row.getString("v"))) {
      wrong(id, "is not there as it was written");
    } else if (row.getLong("version") - least < 0 && least != 0) {
      wrong(id, "is older than what was acknowledged");
    }
  }

  private void wrong(int id, String what) {
    wrong.incrementAndGet();
    firstProblem.compareAndSet(null, "row " + id + " " + what);
  }

  boolean isRunning() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  Sums stop() throws InterruptedException {
    ends = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return new Sums(answered.get(), failed.get(), wrong.get());
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    session.close();
  }

  @Override
  public String toString() {
    return "%d answered, %d failed, %d wrong%s"
        .formatted(
            answered.get(),
            failed.get(),
            wrong.get(),
            firstProblem.get() == null ? "" : "; first: " + firstProblem.get());
  }
}
