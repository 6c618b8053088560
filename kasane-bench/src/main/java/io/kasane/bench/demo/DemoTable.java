/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.node.NodeException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** The table of the demonstration: an int key, the version written last, its payload. */
final class DemoTable {
  static final String KEYSPACE = "demo";
  static final String TABLE = "rows";
  private static final String NAME = KEYSPACE + "." + TABLE;

  private final CqlSession session;
  private final PreparedStatement select;
  private final PreparedStatement insert;

  private DemoTable(CqlSession session) {
    this.session = session;
    this.select = session.prepare("SELECT version, payload FROM " + NAME + " WHERE id = ?");
    this.insert =
        session.prepare("INSERT INTO " + NAME + " (id, version, payload) VALUES (?, ?, ?)");
  }

  /** Creates the table with the given compaction class. */
  static DemoTable create(CqlSession session, String compactionClass) {
    session.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE "
            + NAME
            + " (id int PRIMARY KEY, version int, payload blob) WITH compaction = {'class': '"
            + compactionClass
            + "'}");
    return new DemoTable(session);
  }

  /** Writes version 0 of every row. */
  void load(int rows, int inFlight, Progress progress) throws InterruptedException {
    Semaphore permits = new Semaphore(inFlight);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int key = 0; key < rows && failure.get() == null; key++) {
      permits.acquire();
      write(key, 0)
          .whenComplete(
              (result, problem) -> {
                if (problem != null) {
                  failure.compareAndSet(null, problem);
                }
                permits.release();
              });
      if (key % 1000 == 0) {
        progress.loading(key, rows);
      }
    }
    permits.acquire(inFlight);
    if (failure.get() != null) {
      throw new NodeException("Loading failed: " + failure.get(), failure.get());
    }
    progress.loading(rows, rows);
  }

  CompletionStage<AsyncResultSet> write(int key, int version) {
    return session.executeAsync(insert.bind(key, version, RowContent.payload(key, version)));
  }

  CompletionStage<AsyncResultSet> read(int key) {
    return session.executeAsync(select.bind(key));
  }
}
