/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.version.Timestamp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What the layout of RAMP's table costs, apart from the protocol: either a commit writes the whole
 * version, and a read looks up one row; or a commit writes a version's 16 bytes of name, and a read
 * looks those up first and the version then. No second rounds, sessions or garbage collection in
 * either, so that nothing else differs; reads may be halves.
 */
final class LayoutCost implements TransactionSystem {
  private static final ByteBuffer NO_VERSION = ByteBuffer.allocate(0);
  private static final byte COMMITTED = 0;
  private static final byte PREPARED = 1;

  private final CqlSession session;
  private final boolean wholeCommits;
  private final TransactionNumbers numbers;
  private final PreparedStatement select;
  private final PreparedStatement update;

  LayoutCost(CqlSession session, String table, boolean wholeCommits, TransactionNumbers numbers) {
    this.session = session;
    this.wholeCommits = wholeCommits;
    this.numbers = numbers;
    Schema.change(
        session,
        "CREATE TABLE IF NOT EXISTS "
            + table
            + " (partition int, kind int, version blob, body blob,"
            + " PRIMARY KEY (partition, kind, version))");
    this.select =
        session.prepare(
            "SELECT body FROM " + table + " WHERE partition = ? AND kind = ? AND version = ?");
    this.update =
        session.prepare(
            "INSERT INTO " + table + " (body, partition, kind, version) VALUES (?, ?, ?, ?)");
  }

  @Override
  public TransactionClient connect() {
    return new TransactionClient() {
      @Override
      public Reading read(int[] keys) {
        List<CompletableFuture<SeenValue>> asked = new ArrayList<>();
        for (int key : keys) {
          asked.add(LayoutCost.this.read(key).toCompletableFuture());
        }
        return new Reading(Answers.of(asked), wholeCommits ? 1 : 2);
      }

      @Override
      public long write(int[] keys, byte[] payload) {
        StampedValue value = new StampedValue(numbers.next(), keys, payload);
        ByteBuffer version = version(value.number());
        send(keys, value, PREPARED, version, value.toBytes());
        send(keys, value, COMMITTED, NO_VERSION, wholeCommits ? value.toBytes() : version);
        return value.number();
      }

      @Override
      public void close() {}
    };
  }

  private CompletionStage<SeenValue> read(int key) {
    CompletionStage<ByteBuffer> committed = body(key, COMMITTED, NO_VERSION);
    return (wholeCommits
            ? committed
            : committed.thenCompose(version -> body(key, PREPARED, version)))
        .thenApply(
            body -> {
              StampedValue value = StampedValue.of(body);
              return new SeenValue(key, new Timestamp(value.number(), 0), value);
            });
  }

  private CompletionStage<ByteBuffer> body(int key, int kind, ByteBuffer version) {
    return session
        .executeAsync(asked(select.bind(key, kind, version)))
        .thenApply(
            rows -> {
              Row row = rows.one();
              if (row == null) {
                throw new IllegalStateException("key " + key + " was never written");
              }
              return row.getByteBuffer(0);
            });
  }

  private void send(int[] keys, StampedValue value, int kind, ByteBuffer version, ByteBuffer body) {
    List<CompletionStage<AsyncResultSet>> sent =
        Arrays.stream(keys)
            .mapToObj(
                key ->
                    session.executeAsync(
                        asked(update.bind(body, key, kind, version))
                            .setQueryTimestamp(value.number())))
            .toList();
    Answers.of(sent);
  }

  private static BoundStatement asked(BoundStatement statement) {
    return statement.setIdempotent(true).setConsistencyLevel(ConsistencyLevel.QUORUM);
  }

  private static ByteBuffer version(long number) {
    return ByteBuffer.allocate(Timestamp.BYTES).putLong(number).putLong(0).flip();
  }

  @Override
  public void close() {}
}
