/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;

/**
 * Cassandra's batches. A logged one is written to the batch log of two nodes first, so that all of
 * it happens sooner or later, and is read key by key at once; an unlogged one is just sent together
 * and is read with one query of many partitions.
 */
final class Batches implements TransactionSystem {
  private final CqlSession session;
  private final PlainTable table;
  private final BatchType type;
  private final TransactionNumbers numbers;

  Batches(CqlSession session, String table, BatchType type, TransactionNumbers numbers) {
    this.session = session;
    this.table = new PlainTable(session, table);
    this.type = type;
    this.numbers = numbers;
  }

  @Override
  public TransactionClient connect() {
    return new TransactionClient() {
      @Override
      public Reading read(int[] keys) {
        boolean each = type == BatchType.LOGGED;
        return new Reading(each ? table.selectEach(keys) : table.selectTogether(keys), 1);
      }

      @Override
      public long write(int[] keys, byte[] payload) {
        StampedValue value = new StampedValue(numbers.next(), keys, payload);
        BatchStatementBuilder batch = BatchStatement.builder(type);
        for (int key : keys) {
          batch.addStatement(table.insert(key, value));
        }
        Answers.of(
            session.executeAsync(
                batch
                    .setQueryTimestamp(value.number())
                    .setConsistencyLevel(ConsistencyLevel.QUORUM)
                    .build()));
        return value.number();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
