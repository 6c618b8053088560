/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Reads keyspaces and tables from Cassandra's schema tables, not from the driver's copy of them:
 * that may be switched off or filtered, and has no triggers. Thread-safe.
 */
public final class SchemaReader {
  private static final String OF_TABLE = " WHERE keyspace_name = ? AND table_name = ?";

  private final CqlSession session;

  /** Reads through that session, which stays the caller's. */
  public SchemaReader(CqlSession session) {
    this.session = session;
  }

  /** The keyspace, if there is one of that name. */
  public CompletionStage<Optional<KeyspaceFacts>> keyspace(String name) {
    return rows(
            "SELECT durable_writes, replication FROM system_schema.keyspaces"
                + " WHERE keyspace_name = ?",
            name)
        .thenApply(
            rows ->
                rows.stream()
                    .findFirst()
                    .map(
                        row ->
                            KeyspaceFacts.of(
                                name,
                                row.getMap("replication", String.class, String.class),
                                row.getBoolean("durable_writes"))));
  }

  /** The table, if there is one of that name. */
  public CompletionStage<Optional<TableFacts>> table(String keyspace, String name) {
    CompletionStage<List<Row>> options =
        rows(
            "SELECT comment, default_time_to_live, gc_grace_seconds, read_repair, cdc"
                + " FROM system_schema.tables"
                + OF_TABLE,
            keyspace,
            name);
    return options.thenCompose(
        found ->
            found.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : describe(keyspace, name, found.get(0)).thenApply(Optional::of));
  }

  /** What tells a table from others that had its name; fails if there is none. */
  public CompletionStage<UUID> tableId(String keyspace, String name) {
    return rows("SELECT id FROM system_schema.tables" + OF_TABLE, keyspace, name)
        .thenApply(
            rows ->
                rows.stream()
                    .findFirst()
                    .map(row -> row.getUuid("id"))
                    .orElseThrow(
                        () ->
                            new RefusedSchemaException(
                                "Table " + keyspace + "." + name + " does not exist any more")));
  }

  /** The tables of a keyspace that say that they are of versions. */
  public CompletionStage<List<VersionTable>> versionTables(String keyspace) {
    return rows(
            "SELECT table_name, comment, gc_grace_seconds FROM system_schema.tables"
                + " WHERE keyspace_name = ?",
            keyspace)
        .thenApply(
            rows ->
                rows.stream()
                    .map(
                        row ->
                            new VersionTable(
                                row.getString("table_name"),
                                Optional.ofNullable(row.getString("comment")).orElse(""),
                                Duration.ofSeconds(row.getInt("gc_grace_seconds"))))
                    .filter(table -> table.comment().startsWith(TableLayout.MARK))
                    .toList());
  }

  private CompletionStage<TableFacts> describe(String keyspace, String name, Row options) {
    CompletionStage<Set<ColumnFact>> columns =
        rows(
                "SELECT column_name, type, kind, position, clustering_order"
                    + " FROM system_schema.columns"
                    + OF_TABLE,
                keyspace,
                name)
            .thenApply(rows -> rows.stream().map(SchemaReader::column).collect(Collectors.toSet()));
    CompletionStage<Set<String>> views =
        rows(
                "SELECT view_name, base_table_name FROM system_schema.views"
                    + " WHERE keyspace_name = ?",
                keyspace)
            .thenApply(
                rows ->
                    rows.stream()
                        .filter(row -> name.equals(row.getString("base_table_name")))
                        .map(row -> row.getString("view_name"))
                        .collect(Collectors.toSet()));
    CompletionStage<Set<String>> triggers = names("trigger", keyspace, name);
    CompletionStage<Set<String>> indexes = names("index", keyspace, name);
    return columns.thenCompose(
        allColumns ->
            views.thenCompose(
                allViews ->
                    triggers.thenCombine(
                        indexes,
                        (allTriggers, allIndexes) ->
                            new TableFacts(
                                keyspace,
                                name,
                                allColumns,
                                Optional.ofNullable(options.getString("comment")).orElse(""),
                                options.getInt("default_time_to_live"),
                                options.getInt("gc_grace_seconds"),
                                Optional.ofNullable(options.getString("read_repair")).orElse(""),
                                options.getBoolean("cdc"),
                                allViews,
                                allTriggers,
                                allIndexes))));
  }

  private CompletionStage<Set<String>> names(String what, String keyspace, String table) {
    String column = what + "_name";
    String source = what.equals("index") ? "indexes" : what + "s";
    return rows("SELECT " + column + " FROM system_schema." + source + OF_TABLE, keyspace, table)
        .thenApply(
            rows -> rows.stream().map(row -> row.getString(column)).collect(Collectors.toSet()));
  }

  private static ColumnFact column(Row row) {
    return new ColumnFact(
        row.getString("column_name"),
        row.getString("type"),
        row.getString("kind"),
        row.getInt("position"),
        row.getString("clustering_order"));
  }

  private CompletionStage<List<Row>> rows(String cql, Object... values) {
    SimpleStatement statement =
        SimpleStatement.newInstance(cql, values)
            .setConsistencyLevel(DefaultConsistencyLevel.ONE)
            .setIdempotent(true);
    return session.executeAsync(statement).thenCompose(page -> all(page, new ArrayList<>()));
  }

  private static CompletionStage<List<Row>> all(AsyncResultSet page, List<Row> seen) {
    page.currentPage().forEach(seen::add);
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> all(next, seen))
        : CompletableFuture.completedFuture(seen);
  }
}
