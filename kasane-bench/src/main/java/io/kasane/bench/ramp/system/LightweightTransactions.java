/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Conditional writes, as far as they go: one key at a time, in the order of the keys, each only
 * over a lower transaction number; reads at level SERIAL. Each key is linearizable, several
 * together are not a transaction.
 */
final class LightweightTransactions implements TransactionSystem {
  private final CqlSession session;
  private final TransactionNumbers numbers;
  private final PreparedStatement select;
  private final PreparedStatement insert;
  private final PreparedStatement update;

  LightweightTransactions(CqlSession session, String table, TransactionNumbers numbers) {
    this.session = session;
    this.numbers = numbers;
    Schema.change(
        session,
        "CREATE TABLE IF NOT EXISTS " + table + " (id int PRIMARY KEY, number bigint, body blob)");
    this.select = session.prepare("SELECT id, number, body FROM " + table + " WHERE id = ?");
    this.insert =
        session.prepare(
            "INSERT INTO " + table + " (number, body, id) VALUES (?, ?, ?) IF NOT EXISTS");
    this.update =
        session.prepare("UPDATE " + table + " SET number = ?, body = ? WHERE id = ? IF number < ?");
  }

  @Override
  public TransactionClient connect() {
    return new TransactionClient() {
      @Override
      public Reading read(int[] keys) {
        List<CompletionStage<AsyncResultSet>> asked =
            Arrays.stream(keys).mapToObj(LightweightTransactions.this::select).toList();
        return new Reading(PlainTable.seen(Answers.of(asked)), 1);
      }

      @Override
      public long write(int[] keys, byte[] payload) {
        StampedValue value = new StampedValue(numbers.next(), keys, payload);
        Arrays.stream(keys).sorted().forEach(key -> put(key, value));
        return value.number();
      }

      @Override
      public void close() {}
    };
  }

  private CompletionStage<AsyncResultSet> select(int key) {
    return session.executeAsync(
        select.bind(key).setIdempotent(true).setConsistencyLevel(ConsistencyLevel.SERIAL));
  }

  private void put(int key, StampedValue value) {
    while (true) {
      AsyncResultSet answer =
          conditional(update.bind(value.number(), value.toBytes(), key, value.number()));
      // What is not applied shows the number that stood against it, if there was a row at all.
      if (answer.wasApplied() || answer.getColumnDefinitions().contains("number")) {
        return;
      }
      if (conditional(insert.bind(value.number(), value.toBytes(), key)).wasApplied()) {
        return;
      }
    }
  }

  private AsyncResultSet conditional(BoundStatement statement) {
    return Answers.of(
        session.executeAsync(
            statement
                .setConsistencyLevel(ConsistencyLevel.QUORUM)
                .setSerialConsistencyLevel(ConsistencyLevel.SERIAL)));
  }

  @Override
  public void close() {}
}
