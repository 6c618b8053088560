/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A closed loop of uniform reads and writes, half each, over rows that fit in memory. */
final class MemoryLoad {
  static final String KEYSPACE = "cost";
  static final String TABLE = "rows";
  private static final String NAME = KEYSPACE + "." + TABLE;
  private static final int PAYLOAD_BYTES = 200;
  private static final int IN_FLIGHT = 64;
  private static final int SEED = 7;

  private final CqlSession session;
  private final Rows rows;
  private final PreparedStatement select;
  private final PreparedStatement insert;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /**
   * What is read and written.
   *
   * @param compressible whether they compress, to a tenth, or not at all
   */
  record Rows(int count, boolean compressible) {
    /** A megabyte on disk. */
    static final Rows FEW = new Rows(50_000, true);
  }

  /** A load for a table that is there. */
  MemoryLoad(CqlSession session, Rows rows) {
    this.session = session;
    this.rows = rows;
    this.select = session.prepare("SELECT payload FROM " + NAME + " WHERE id = ?");
    this.insert = session.prepare("INSERT INTO " + NAME + " (id, payload) VALUES (?, ?)");
  }

  static void createTable(CqlSession session, String strategy) {
    session.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE "
            + NAME
            + " (id int PRIMARY KEY, payload blob) WITH compaction = {'class': '"
            + strategy
            + "'}");
  }

  void fill() throws InterruptedException {
    int[] next = new int[1];
    send(() -> next[0] < rows.count(), () -> write(next[0]++));
  }

  /**
   * Sends for so long.
   *
   * @return answered operations per second
   */
  double run(Duration duration) throws InterruptedException {
    long began = System.nanoTime();
    long operations =
        send(
            () -> System.nanoTime() - began < duration.toNanos(),
            () -> {
              int id = random.nextInt(rows.count());
              return random.nextBoolean() ? select.bind(id) : write(id);
            });
    return operations * 1e9 / (System.nanoTime() - began);
  }

  private BoundStatement write(int id) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    if (!rows.compressible()) {
      random.nextBytes(payload);
    }
    ByteBuffer.wrap(payload).putInt(id);
    return insert.bind(id, ByteBuffer.wrap(payload));
  }

  private long send(BooleanSupplier more, Supplier<BoundStatement> statements)
      throws InterruptedException {
    Semaphore permits = new Semaphore(IN_FLIGHT);
    LongAdder answered = new LongAdder();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    while (more.getAsBoolean() && failure.get() == null) {
      permits.acquire();
      var unused =
          session
              .executeAsync(statements.get())
              .whenComplete(
                  (rows, problem) -> {
                    if (problem == null) {
                      answered.increment();
                    } else {
                      failure.compareAndSet(null, problem);
                    }
                    permits.release();
                  });
    }
    permits.acquire(IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException("an operation failed: " + failure.get(), failure.get());
    }
    return answered.sum();
  }
}
