/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A table of stamped values without anything around it: a row a key, quorums, statements that know
 * their partition. The transaction's number is the write's timestamp, so that of two writes of a
 * key the higher number stays.
 */
final class PlainTable {
  /** No more than a page: of what may take pages Cassandra reads one partition after the other. */
  private static final int MAX_TOGETHER = 1_000;

  private final CqlSession session;
  private final PreparedStatement select;
  private final PreparedStatement selectMany;
  private final PreparedStatement insert;

  /** Makes the table if it is missing. */
  PlainTable(CqlSession session, String qualifiedName) {
    this.session = session;
    Schema.change(
        session,
        "CREATE TABLE IF NOT EXISTS "
            + qualifiedName
            + " (id int PRIMARY KEY, number bigint, body blob)");
    this.select = session.prepare("SELECT id, body FROM " + qualifiedName + " WHERE id = ?");
    this.selectMany =
        session.prepare(
            "SELECT id, body FROM " + qualifiedName + " WHERE id IN ? LIMIT " + MAX_TOGETHER);
    this.insert =
        session.prepare("INSERT INTO " + qualifiedName + " (number, body, id) VALUES (?, ?, ?)");
  }

  BoundStatement insert(int key, StampedValue value) {
    return insert
        .bind(value.number(), value.toBytes(), key)
        .setQueryTimestamp(value.number())
        .setIdempotent(true)
        .setConsistencyLevel(ConsistencyLevel.QUORUM);
  }

  /** Asks for one key. */
  CompletionStage<AsyncResultSet> select(int key) {
    return session.executeAsync(
        select.bind(key).setIdempotent(true).setConsistencyLevel(ConsistencyLevel.QUORUM));
  }

  /** Asks for all keys at once, each its own replicas. */
  List<SeenValue> selectEach(int[] keys) {
    List<CompletionStage<AsyncResultSet>> asked =
        Arrays.stream(keys).mapToObj(this::select).toList();
    return seen(Answers.of(asked));
  }

  /** Asks one node, which asks the others: a multi-partition read. */
  List<SeenValue> selectTogether(int[] keys) {
    List<Integer> list = Arrays.stream(keys).boxed().toList();
    BoundStatement all =
        selectMany
            .bind(list)
            .setPageSize(MAX_TOGETHER)
            .setIdempotent(true)
            .setConsistencyLevel(ConsistencyLevel.QUORUM);
    return seen(List.of(Answers.of(session.executeAsync(all))));
  }

  /** Sends all inserts at once, each to its own replicas. */
  void insertEach(int[] keys, StampedValue value) {
    List<CompletionStage<AsyncResultSet>> sent =
        Arrays.stream(keys).mapToObj(key -> session.executeAsync(insert(key, value))).toList();
    Answers.of(sent);
  }

  /** What pages of rows show. */
  static List<SeenValue> seen(List<AsyncResultSet> pages) {
    List<SeenValue> seen = new ArrayList<>();
    for (AsyncResultSet page : pages) {
      page.currentPage().forEach(row -> seen.add(seen(row)));
    }
    return seen;
  }

  private static SeenValue seen(Row row) {
    StampedValue value = StampedValue.of(row.getByteBuffer("body"));
    return new SeenValue(row.getInt("id"), new Timestamp(value.number(), 0), value);
  }
}
