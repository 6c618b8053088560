/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Stock Cassandra as it is used for the same work: LOGGED BATCH, and selects side by side. */
final class PlainCql {
  private final CqlSession session;

  PlainCql(CqlSession session) {
    this.session = session;
  }

  void table(String name, String columns) {
    session.execute(
        "CREATE TABLE IF NOT EXISTS %s.%s (%s)".formatted(Example.KEYSPACE, name, columns));
    session.execute("TRUNCATE %s.%s".formatted(Example.KEYSPACE, name));
  }

  PreparedStatement prepare(String statement) {
    return session.prepare(statement.formatted(Example.KEYSPACE));
  }

  void batch(BatchableStatement<?>... statements) {
    session.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, statements));
  }

  void batch(List<? extends BatchableStatement<?>> statements) {
    batch(statements.toArray(BatchableStatement[]::new));
  }

  /** The rows of each, all asked for at the same time. */
  List<List<Row>> select(BoundStatement... selects) {
    List<CompletableFuture<AsyncResultSet>> asked =
        Arrays.stream(selects)
            .map(select -> session.executeAsync(select).toCompletableFuture())
            .toList();
    return asked.stream().map(answer -> rows(answer.join())).toList();
  }

  /** The first page; no example has more. */
  private static List<Row> rows(AsyncResultSet page) {
    List<Row> rows = new ArrayList<>();
    page.currentPage().forEach(rows::add);
    return rows;
  }
}
