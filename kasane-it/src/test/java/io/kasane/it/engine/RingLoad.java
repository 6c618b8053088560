/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.it.tier.NodeLocal;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes to tables of a ring, and flushes on all of its nodes each second, while something else
 * happens to it. Remembers what was acknowledged by all replicas, and counts it replica by replica.
 * Each table is called as its memtable is.
 */
final class RingLoad implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int ROWS_IN_PARTITION = 20;
  private static final int DELETE_ONE_OF = 10;
  private static final long MAX_BEHIND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final EngineRing ring;
  private final List<String> tables;
  private final AtomicInteger next = new AtomicInteger();
  private final long pauseNanos;

  /** By row: acknowledged by all replicas, by one, or maybe not written; and deleted. */
  private final BitSet written = new BitSet();

  private final BitSet weak = new BitSet();
  private final BitSet deleted = new BitSet();
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean isStopped = true;
  private ExecutorService threads;

  RingLoad(EngineRing ring, List<String> tables, int rowsPerSecond) {
    this.ring = ring;
    this.tables = tables;
    this.pauseNanos = TimeUnit.SECONDS.toNanos((long) THREADS * tables.size()) / rowsPerSecond;
  }

  void create() {
    for (String table : tables) {
      ring.session()
          .execute(
              "CREATE TABLE k.\"%s\" (p int, id int, v text, PRIMARY KEY (p, id)) WITH memtable = '%s'"
                  .formatted(table, table));
      ring.awaitSchema();
    }
  }

  /** Writes so many rows as fast as it can. */
  void write(int rows) {
    int until = next.get() + rows;
    begin(0, until);
    end();
  }

  /** Runs something under load, and returns how many rows were written meanwhile. */
  int during(Runnable run) {
    int before = next.get();
    begin(pauseNanos, Integer.MAX_VALUE);
    for (LocalNode node : ring.nodes()) {
      running.add(threads.submit(() -> flushEachSecond(node)));
    }
    try {
      run.run();
    } finally {
      isStopped = true;
      end();
    }
    return next.get() - before;
  }

  private void begin(long pause, int until) {
    isStopped = false;
    threads = Executors.newCachedThreadPool();
    CqlSession session = ring.session();
    List<Writes> writes = tables.stream().map(table -> Writes.to(table, session)).toList();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                long due = System.nanoTime();
                while (!isStopped) {
                  int id = next.getAndIncrement();
                  if (id >= until) {
                    next.decrementAndGet();
                    return;
                  }
                  writeRow(session, writes, id);
                  due = Math.max(due + pause, System.nanoTime() - MAX_BEHIND_NANOS);
                  LockSupport.parkNanos(due - System.nanoTime());
                }
              }));
    }
  }

  /** Statements of a row of a table: its partition, and its id. */
  private record Writes(PreparedStatement insert, PreparedStatement delete) {
    static Writes to(String table, CqlSession session) {
      return new Writes(
          session.prepare("INSERT INTO k.\"%s\" (p, id, v) VALUES (?, ?, 'v')".formatted(table)),
          session.prepare("DELETE FROM k.\"%s\" WHERE p = ? AND id = ?".formatted(table)));
    }
  }

  private void end() {
    try {
      for (Future<?> each : running) {
        each.get();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      running.clear();
      threads.shutdownNow();
    }
  }

  private void writeRow(CqlSession session, List<Writes> writes, int id) {
    int partition = id / ROWS_IN_PARTITION;
    boolean deletes = id % DELETE_ONE_OF == 0;
    boolean isStrong = true;
    for (Writes table : writes) {
      isStrong &= execute(session, table.insert.bind(partition, id));
      if (deletes) {
        isStrong &= execute(session, table.delete.bind(partition, id));
      }
    }
    synchronized (this) {
      (isStrong ? deletes ? deleted : written : weak).set(id);
    }
  }

  /** Whether all replicas have it for sure. */
  private static boolean execute(CqlSession session, BoundStatement bound) {
    BoundStatement statement = bound.setTimeout(TIMEOUT);
    try {
      session.execute(statement.setConsistencyLevel(DefaultConsistencyLevel.ALL));
      return true;
    } catch (DriverException e) {
      try {
        session.execute(statement.setConsistencyLevel(DefaultConsistencyLevel.ONE));
      } catch (DriverException again) {
        return false; // it may be there or not
      }
      return false;
    }
  }

  private void flushEachSecond(LocalNode node) {
    while (!isStopped) {
      try (NodeJmx jmx = node.jmx()) {
        while (!isStopped) {
          jmx.flush(EngineNodes.KEYSPACE);
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
      } catch (IOException | RuntimeException e) {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)); // it was killed, or has left
      }
    }
  }

  /** Each row is on so many of the nodes; after a cleanup these are its replicas. */
  void requireReplicas(int replicas, String after) {
    for (String table : tables) {
      Map<Integer, Integer> copies = new HashMap<>();
      for (LocalNode node : ring.nodes()) {
        ids(node, table).stream().forEach(id -> copies.merge(id, 1, Integer::sum));
      }
      BitSet missing = (BitSet) written.clone();
      copies.forEach(
          (id, count) -> {
            if (count == replicas) {
              missing.clear(id);
            }
          });
      BitSet back = new BitSet();
      copies.keySet().forEach(back::set);
      back.and(deleted);
      System.out.printf(
          "%s, %s: %,d rows on %d replicas each, %,d deleted, %,d uncertain; missing %,d, back %,d%n",
          after,
          table,
          written.cardinality(),
          replicas,
          deleted.cardinality(),
          weak.cardinality(),
          missing.cardinality(),
          back.cardinality());
      assertThat(missing.cardinality())
          .as(
              "%s after %s: not on %d nodes, but on so many: %s",
              table, after, replicas, first(missing, copies))
          .isZero();
      assertThat(back.cardinality())
          .as("%s after %s: back: %s", table, after, first(back, copies))
          .isZero();
    }
  }

  private static String first(BitSet rows, Map<Integer, Integer> copies) {
    return rows.stream()
        .limit(10)
        .mapToObj(id -> id + ": " + copies.getOrDefault(id, 0))
        .toList()
        .toString();
  }

  /** What a node has itself. */
  private BitSet ids(LocalNode node, String table) {
    BitSet ids = new BitSet();
    SimpleStatement all =
        SimpleStatement.newInstance("SELECT id FROM k.\"" + table + "\"").setTimeout(TIMEOUT);
    for (Row row : ring.session().execute(ring.at(node, NodeLocal.INSTANCE).apply(all))) {
      ids.set(row.getInt(0));
    }
    return ids;
  }

  @Override
  public void close() {
    isStopped = true;
  }
}
