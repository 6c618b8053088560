/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.collect;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.cql.store.RateLimiter;
import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Goes through the tables of a keyspace twice, for what is prepared and for what is committed, and
 * has cleared what clients that died left. It waits for Cassandra, and for a window of garbage
 * collection at its end. What cannot be read is counted as failed. For one thread.
 */
public final class LeftoverScan {
  private static final int PAGE_ROWS = 200;
  private static final int MAX_TRIES = 6;
  private static final int ROWS_BETWEEN_WORDS = 1_000;

  /** What waits for its window is kept in memory, some 300 bytes each. */
  private static final int MAX_WAITING = 50_000;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final CqlSession session;
  private final String keyspace;
  private final Leftovers leftovers;
  private final RateLimiter pace;
  private final BiConsumer<String, Long> progress;
  private long rows;

  /**
   * Scans by way of that session.
   *
   * @param session stays the caller's
   * @param leftovers of the same keyspace, which nobody used before
   * @param rowsPerSecond how many rows are read a second at most, 1 at least
   * @param progress told the table, and the rows of all tables so far, once in a while
   */
  public LeftoverScan(
      CqlSession session,
      String keyspace,
      Leftovers leftovers,
      long rowsPerSecond,
      BiConsumer<String, Long> progress) {
    this.session = session;
    this.keyspace = keyspace;
    this.leftovers = leftovers;
    this.pace = new RateLimiter(rowsPerSecond);
    this.progress = progress;
  }

  /** How many rows were read; those that are looked at twice count twice. */
  public long rows() {
    return rows;
  }

  /**
   * Clears some tables of the keyspace, and what was written together with what is in them.
   *
   * @param cleared the tables' names
   * @param others the names of all others of the keyspace that have versions
   */
  public LeftoverCounts run(Collection<String> cleared, Collection<String> others) {
    if (!others.isEmpty()) {
      leftovers.isIncomplete();
    }
    cleared.forEach(this::prepared);
    cleared.forEach(table -> committed(table, leftovers::committed));
    for (String table : others) {
      if (leftovers.seeksTransactions()) {
        committed(table, (key, version) -> leftovers.shows(version.timestamp()));
      }
    }
    awaitAtMost(0);
    return leftovers.counts();
  }

  private void prepared(String table) {
    Prepared prepared = new Prepared();
    boolean whole =
        read(
            table,
            "kind, item, version",
            row -> {
              if (row.getInt(TableLayout.KIND) == TableLayout.PREPARED) {
                prepared.add(
                    key(table, row), Timestamp.read(row.getByteBuffer(TableLayout.VERSION)));
              }
            });
    prepared.flush();
    if (!whole) {
      leftovers.isIncomplete();
    }
  }

  private void committed(String table, Told told) {
    read(
        table,
        "kind, item, body",
        row -> {
          int kind = row.getInt(TableLayout.KIND);
          ByteBuffer body = row.getByteBuffer(TableLayout.BODY);
          if (kind != TableLayout.PREPARED && kind != TableLayout.GENERATIONS && body != null) {
            done(told.of(key(table, row), VersionCodec.decode(body)));
          }
        });
  }

  /** Whether all of the table could be read. */
  private boolean read(String table, String columns, Consumer<Row> each) {
    Reading reading = new Reading(table, columns, each);
    int failures = 0;
    while (true) {
      long before = rows;
      try {
        reading.run();
        return reading.whole;
      } catch (DriverException e) {
        failures = rows > before ? 1 : failures + 1;
        if (failures == MAX_TRIES) {
          leftovers.failed(e);
          return false;
        }
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1L << (failures - 1)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        leftovers.failed(e);
        return false;
      } finally {
        progress.accept(table, rows);
      }
    }
  }

  /** One way through a table, which goes on from the partition that it came to. */
  private final class Reading {
    private final String table;
    private final String select;
    private final Consumer<Row> each;
    private ByteBuffer partition;
    private boolean whole = true;

    Reading(String table, String columns, Consumer<Row> each) {
      this.table = table;
      this.select =
          "SELECT partition, " + columns + " FROM " + TableLayout.qualified(keyspace, table);
      this.each = each;
    }

    void run() throws InterruptedException {
      SimpleStatement statement =
          partition == null
              ? SimpleStatement.newInstance(select)
              : SimpleStatement.newInstance(
                  select + " WHERE token(partition) >= token(?)", partition);
      statement =
          statement
              .setConsistencyLevel(ConsistencyLevel.QUORUM)
              .setIdempotent(true)
              .setPageSize(PAGE_ROWS);
      for (Row row : session.execute(statement)) {
        pace.take(1);
        rows++;
        partition = row.getByteBuffer(TableLayout.PARTITION);
        if (rows % ROWS_BETWEEN_WORDS == 0) {
          progress.accept(table, rows);
        }
        try {
          each.accept(row);
        } catch (CorruptVersionException e) {
          leftovers.failed(e);
          whole = false;
        }
      }
    }
  }

  /** Never fails. */
  private void done(CompletionStage<Void> work) {
    work.toCompletableFuture().join();
    awaitAtMost(MAX_WAITING);
  }

  /** What waits is given up where this thread is interrupted. */
  private void awaitAtMost(int waiting) {
    while (leftovers.waiting() > waiting && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static ItemKey key(String table, Row row) {
    return new ItemKey(
        table,
        Bytes.copyOf(row.getByteBuffer(TableLayout.PARTITION)),
        Bytes.copyOf(row.getByteBuffer(TableLayout.ITEM)));
  }

  /** Who is told of a committed version. */
  private interface Told {
    CompletionStage<Void> of(ItemKey key, Version version);
  }

  /** Puts the prepared versions of a key together, whose rows lie together. */
  private final class Prepared {
    private static final int AT_ONCE = 64;

    private final Set<Timestamp> timestamps = new HashSet<>();
    private ItemKey key;

    void add(ItemKey next, Timestamp timestamp) {
      if (!next.equals(key) || timestamps.size() >= AT_ONCE) {
        flush();
        key = next;
      }
      timestamps.add(timestamp);
    }

    void flush() {
      if (!timestamps.isEmpty()) {
        done(leftovers.prepared(key, Set.copyOf(timestamps)));
        timestamps.clear();
      }
    }
  }
}
