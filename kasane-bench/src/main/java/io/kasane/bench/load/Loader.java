/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Writes version 0 of every cell. */
public final class Loader {
  private static final int IN_FLIGHT = 64;

  private Loader() {}

  /**
   * Loads rows 0 to {@code rows - 1} into all replicas, with timestamp 1.
   *
   * @param loaded told now and then how many rows were sent
   */
  public static void load(CqlSession session, int rows, IntConsumer loaded)
      throws InterruptedException {
    PreparedStatement insert =
        session.prepare(
            "INSERT INTO "
                + Table.QUALIFIED
                + " (y_id, "
                + String.join(", ", Table.FIELD_NAMES)
                + ") VALUES (?"
                + ", ?".repeat(Table.FIELDS)
                + ")");
    Semaphore permits = new Semaphore(IN_FLIGHT);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int row = 0; row < rows && failure.get() == null; row++) {
      permits.acquire();
      var unused =
          session
              .executeAsync(bind(insert, row))
              .whenComplete(
                  (done, problem) -> {
                    if (problem != null) {
                      failure.compareAndSet(null, problem);
                    }
                    permits.release();
                  });
      if (row % 1000 == 0) {
        loaded.accept(row);
      }
    }
    permits.acquire(IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException("loading failed: " + failure.get(), failure.get());
    }
    loaded.accept(rows);
  }

  private static BoundStatement bind(PreparedStatement insert, int row) {
    Object[] values = new Object[1 + Table.FIELDS];
    values[0] = Table.key(row);
    for (int field = 0; field < Table.FIELDS; field++) {
      values[1 + field] = CheckedCells.text(row, field, 0);
    }
    return insert.bind(values).setQueryTimestamp(1).setConsistencyLevel(ConsistencyLevel.ALL);
  }
}
