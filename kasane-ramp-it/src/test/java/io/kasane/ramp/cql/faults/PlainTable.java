/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.history.KeyRead;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Rows without transactions, read and written at QUORUM, several at a time. Thread-safe. */
final class PlainTable {
  private final CqlSession session;
  private final PreparedStatement read;
  private final PreparedStatement write;

  PlainTable(CqlSession session, String keyspace) {
    this.session = session;
    this.read = prepare("SELECT v, writetime(v) AS micros FROM %s.plain WHERE k = ?", keyspace);
    this.write = prepare("INSERT INTO %s.plain (k, v) VALUES (?, ?) USING TIMESTAMP ?", keyspace);
  }

  /** Makes the table. */
  static void create(CqlSession session, String keyspace) {
    session.execute("CREATE TABLE " + keyspace + ".plain (k bigint PRIMARY KEY, v bigint)");
  }

  private PreparedStatement prepare(String cql, String keyspace) {
    return session.prepare(
        SimpleStatement.newInstance(String.format(cql, keyspace))
            .setConsistencyLevel(ConsistencyLevel.QUORUM)
            .setIdempotent(true));
  }

  /**
   * Reads each for itself, all at a time.
   *
   * @throws DriverException if one of them cannot be read
   */
  List<KeyRead> read(Collection<Long> keys) {
    List<BoundStatement> reads = keys.stream().map(key -> read.bind(key)).toList();
    List<AsyncResultSet> answers = run(reads);
    List<KeyRead> seen = new ArrayList<>();
    int index = 0;
    for (long key : keys) {
      Row row = answers.get(index++).one();
      seen.add(
          row == null
              ? KeyRead.nothing(key)
              : new KeyRead(
                  key, row.getLong("v"), new Timestamp(row.getLong("micros"), row.getLong("v"))));
    }
    return seen;
  }

  /** Writes each for itself, all at a time. */
  void write(Collection<Long> keys, long value, long micros) {
    run(writes(keys, value, micros));
  }

  /** Writes all in one logged batch. */
  void writeBatch(Collection<Long> keys, long value, long micros) {
    BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED);
    batch.setConsistencyLevel(ConsistencyLevel.QUORUM).setIdempotence(true);
    writes(keys, value, micros).forEach(batch::addStatement);
    session.execute(batch.build());
  }

  private List<BoundStatement> writes(Collection<Long> keys, long value, long micros) {
    return keys.stream().map(key -> write.bind(key, value, micros)).toList();
  }

  private List<AsyncResultSet> run(List<BoundStatement> statements) {
    List<CompletableFuture<AsyncResultSet>> answers =
        statements.stream()
            .map(statement -> session.executeAsync(statement).toCompletableFuture())
            .toList();
    try {
      return answers.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      if (e.getCause() instanceof DriverException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
