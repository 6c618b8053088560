/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A table and what a client that got every answer knows of it. Each partition has one state that
 * was acknowledged and at most one that may have been reached by a write without an answer; any
 * other state in the table is a wrong one. Used by one thread.
 *
 * @param <S> the state of one partition
 */
abstract class CheckedTable<S> {
  static final String KEYSPACE = "safety";

  /** Lets the driver choose. */
  private static final Node ANY = null;

  private static final int IN_FLIGHT = 24;
  private static final double SKEW = 4;

  private final String name;
  private final List<Partition<S>> partitions = new ArrayList<>();
  private CqlSession session;
  private ConsistencyLevel writes = DefaultConsistencyLevel.LOCAL_ONE;
  private long acknowledged;
  private long unanswered;
  private long reads;

  CheckedTable(String name, int keys, S absent) {
    this.name = name;
    for (int i = 0; i < keys; i++) {
      partitions.add(new Partition<>(absent));
    }
  }

  /** A write and the state after it. */
  record Change<S>(BoundStatement statement, S after) {}

  private static final class Partition<S> {
    private S acknowledged;
    private S inFlight;

    Partition(S absent) {
      acknowledged = absent;
    }
  }

  /** The column definitions of CREATE TABLE. */
  abstract String columns();

  abstract void prepare(CqlSession open);

  abstract Change<S> change(int key, S now, Random random);

  abstract BoundStatement read(int key);

  abstract String scan();

  abstract int keyOf(Row row);

  /** Reads the state of one partition; fails if what it holds was never written. */
  abstract S decode(int key, List<Row> rows);

  /**
   * Whether this may be read.
   *
   * @param askedAtMillis when the read was sent, or earlier
   */
  boolean accepts(S expected, S seen, long askedAtMillis) {
    return expected.equals(seen);
  }

  final String name() {
    return name;
  }

  final String qualifiedName() {
    return KEYSPACE + "." + name;
  }

  final long acknowledged() {
    return acknowledged;
  }

  final long unanswered() {
    return unanswered;
  }

  final long reads() {
    return reads;
  }

  final void connect(CqlSession open) {
    session = open;
    prepare(open);
  }

  /** Writes at this consistency from now on. */
  final CheckedTable<S> writingAt(ConsistencyLevel level) {
    writes = level;
    return this;
  }

  /**
   * Reads and writes a number of partitions at once and waits for all answers.
   *
   * @return whether every answer came
   */
  final boolean step(Random random, double readShare) {
    Map<Integer, CompletionStage<AsyncResultSet>> answers = new HashMap<>();
    Map<Integer, S> expected = new HashMap<>();
    long askedAtMillis = System.currentTimeMillis();
    for (int i = 0; i < IN_FLIGHT; i++) {
      int key = pick(random);
      if (answers.containsKey(key)) {
        continue;
      }
      Partition<S> partition = partitions.get(key);
      if (random.nextDouble() < readShare) {
        expected.put(key, partition.acknowledged);
        answers.put(key, session.executeAsync(read(key)));
      } else {
        Change<S> change = change(key, partition.acknowledged, random);
        partition.inFlight = change.after;
        answers.put(key, session.executeAsync(change.statement.setConsistencyLevel(writes)));
      }
    }
    boolean all = true;
    for (Map.Entry<Integer, CompletionStage<AsyncResultSet>> entry : answers.entrySet()) {
      int key = entry.getKey();
      AsyncResultSet answer = await(entry.getValue());
      all &= answer != null;
      if (expected.containsKey(key)) {
        if (answer != null) {
          reads++;
          requireAccepted(
              key, expected.get(key), decode(key, rowsOf(answer)), askedAtMillis, "under load");
        }
      } else if (answer == null) {
        unanswered++;
      } else {
        acknowledged++;
        Partition<S> partition = partitions.get(key);
        partition.acknowledged = partition.inFlight;
        partition.inFlight = null;
      }
    }
    return all;
  }

  /** Keys are hashed to tokens, so the low numbers may be the hot ones. */
  private int pick(Random random) {
    return (int) (partitions.size() * Math.pow(random.nextDouble(), SKEW));
  }

  /** Reads every partition by its key, settles what was in flight, then reads the whole table. */
  final void verify() {
    verify(ANY, DefaultConsistencyLevel.LOCAL_ONE);
  }

  /** The same, asked of one node at some consistency. */
  final void verify(Node coordinator, ConsistencyLevel consistency) {
    Map<Integer, S> seen = new HashMap<>();
    long askedAtMillis = System.currentTimeMillis();
    for (int from = 0; from < partitions.size(); from += IN_FLIGHT) {
      Map<Integer, CompletionStage<AsyncResultSet>> answers = new HashMap<>();
      for (int key = from; key < Math.min(partitions.size(), from + IN_FLIGHT); key++) {
        BoundStatement read = read(key).setConsistencyLevel(consistency).setNode(coordinator);
        answers.put(key, session.executeAsync(read));
      }
      answers.forEach(
          (key, answer) -> seen.put(key, decode(key, rowsOf(answer.toCompletableFuture().join()))));
    }
    seen.forEach((key, state) -> settle(key, state, askedAtMillis));
    Map<Integer, List<Row>> scanned = new HashMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance(scan())
                .setConsistencyLevel(consistency)
                .setNode(coordinator))) {
      scanned.computeIfAbsent(keyOf(row), key -> new ArrayList<>()).add(row);
    }
    for (int key = 0; key < partitions.size(); key++) {
      S inScan = decode(key, scanned.getOrDefault(key, List.of()));
      requireAccepted(key, partitions.get(key).acknowledged, inScan, askedAtMillis, "in a scan");
    }
  }

  private void settle(int key, S seen, long askedAtMillis) {
    Partition<S> partition = partitions.get(key);
    if (partition.inFlight != null && accepts(partition.inFlight, seen, askedAtMillis)) {
      partition.acknowledged = partition.inFlight;
    } else {
      String otherwise = partition.inFlight == null ? "" : " or in flight " + partition.inFlight;
      requireAccepted(
          key, partition.acknowledged, seen, askedAtMillis, "after a restart" + otherwise);
    }
    partition.inFlight = null;
  }

  private void requireAccepted(int key, S expected, S seen, long askedAtMillis, String when) {
    if (!accepts(expected, seen, askedAtMillis)) {
      throw new AssertionError(
          qualifiedName()
              + " key "
              + key
              + ": acknowledged "
              + expected
              + ", read "
              + seen
              + " "
              + when);
    }
  }

  private static List<Row> rowsOf(AsyncResultSet first) {
    List<Row> rows = new ArrayList<>();
    AsyncResultSet page = first;
    while (true) {
      page.currentPage().forEach(rows::add);
      if (!page.hasMorePages()) {
        return rows;
      }
      page = page.fetchNextPage().toCompletableFuture().join();
    }
  }

  private static AsyncResultSet await(CompletionStage<AsyncResultSet> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      return null;
    }
  }

  static byte[] pad(int key, int version, int mostBytes) {
    Random random = new Random(key * 31L + version);
    byte[] bytes = new byte[1 + random.nextInt(mostBytes)];
    random.nextBytes(bytes);
    return bytes;
  }
}
