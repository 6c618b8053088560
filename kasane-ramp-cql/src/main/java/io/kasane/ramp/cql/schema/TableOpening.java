/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/** Makes tables of versions, or takes them as given, and checks them in either case. */
public final class TableOpening {
  /** As Cassandra has it: SchemaConstants.PATTERN_WORD_CHARS and NAME_LENGTH. */
  private static final Pattern NAME = Pattern.compile("\\w{1,48}");

  private final CqlSession session;
  private final String keyspace;
  private final TableContract contract;
  private final SchemaReader reader;

  /** Opens tables of that keyspace, which say what this client says. */
  public TableOpening(CqlSession session, String keyspace, TableContract contract) {
    this.session = session;
    this.keyspace = keyspace;
    this.contract = contract;
    this.reader = new SchemaReader(session);
  }

  /**
   * Done if the table can be used; fails with {@link RefusedSchemaException} if it cannot.
   *
   * @param create whether to make it where there is none
   */
  public CompletionStage<Void> open(String table, boolean create) {
    if (!NAME.matcher(table).matches()) {
      return CompletableFuture.failedFuture(
          new RefusedSchemaException(
              "'"
                  + table
                  + "' is no name of a table: take 1 to 48 letters, digits and underscores"));
    }
    return reader
        .table(keyspace, table)
        .thenCompose(found -> found.isEmpty() && create ? create(table) : done(found))
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                throw missing(table);
              }
              TableCheck.check(found.get(), contract);
              return ClientTimestamps.check(session, keyspace, table);
            });
  }

  private CompletionStage<Optional<TableFacts>> create(String table) {
    SimpleStatement create =
        SimpleStatement.newInstance(TableLayout.create(keyspace, table, contract));
    return session
        .executeAsync(create)
        .thenCompose(
            made -> {
              requireAgreement(made, table);
              return reader.table(keyspace, table);
            });
  }

  private void requireAgreement(AsyncResultSet made, String table) {
    if (!made.getExecutionInfo().isSchemaInAgreement()) {
      throw new RefusedSchemaException(
          "Table "
              + TableLayout.qualified(keyspace, table)
              + " is made, but not all nodes that are up have it yet. Open it again when 'nodetool"
              + " describecluster' shows one schema version.");
    }
  }

  private RefusedSchemaException missing(String table) {
    return new RefusedSchemaException(
        "Table "
            + TableLayout.qualified(keyspace, table)
            + " does not exist. Create it with: "
            + TableLayout.create(keyspace, table, contract));
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
