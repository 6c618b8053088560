/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.cql.schema.TableOpening;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The tables in use, each checked and prepared once. One that nobody opened is opened when a
 * version names it, and is then taken as given. Thread-safe.
 */
final class CqlTables {
  private final CqlSession session;
  private final String keyspace;
  private final String profile;
  private final int deletionSeconds;
  private final TableOpening opening;
  private final ConcurrentMap<String, CompletableFuture<TableStatements>> tables =
      new ConcurrentHashMap<>();

  CqlTables(
      CqlSession session,
      String keyspace,
      TableContract contract,
      String profile,
      int deletionSeconds) {
    this.session = session;
    this.keyspace = keyspace;
    this.profile = profile;
    this.deletionSeconds = deletionSeconds;
    this.opening = new TableOpening(session, keyspace, contract);
  }

  CompletionStage<TableStatements> table(String name, boolean create) {
    CompletableFuture<TableStatements> known = tables.get(name);
    if (known != null) {
      return known;
    }
    CompletableFuture<TableStatements> mine = new CompletableFuture<>();
    CompletableFuture<TableStatements> other = tables.putIfAbsent(name, mine);
    if (other != null) {
      return other;
    }
    opening
        .open(name, create)
        .thenCompose(
            checked -> TableStatements.prepare(session, keyspace, name, profile, deletionSeconds))
        .whenComplete(
            (statements, failure) -> {
              if (failure == null) {
                mine.complete(statements);
              } else {
                // Forgotten first: who hears of the failure may have mended it and tries again.
                tables.remove(name, mine);
                mine.completeExceptionally(failure);
              }
            });
    return mine;
  }
}
