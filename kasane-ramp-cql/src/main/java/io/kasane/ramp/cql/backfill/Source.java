/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A plain CQL table as a backfill reads it: all its columns in the order of the schema, then each
 * row's token, then the TTLs of what may have one. Immutable.
 */
final class Source {
  private static final int MAX_KEY_LENGTH = 500;

  private final String name;
  private final TableMetadata table;
  private final String select;
  private final TokenMap ring;
  private final NavigableSet<Long> boundaries;

  private Source(String name, TableMetadata table, TokenMap ring) {
    this.name = name;
    this.table = table;
    this.select = select(table);
    this.ring = ring;
    this.boundaries =
        ring.getTokenRanges().stream()
            .map(range -> Long.parseLong(ring.format(range.getEnd())))
            .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Looks at the schema.
   *
   * @throws BackfillException if there is no such table, or it cannot be copied
   */
  static Source of(CqlSession session, String keyspace, String name) {
    String qualified = keyspace + "." + name;
    TableMetadata table =
        session
            .getMetadata()
            .getKeyspace(CqlIdentifier.fromInternal(keyspace))
            .flatMap(found -> found.getTable(CqlIdentifier.fromInternal(name)))
            .orElseThrow(
                () ->
                    new BackfillException(
                        "the source "
                            + qualified
                            + " does not exist, or the driver does not know of it: write the names"
                            + " as Cassandra has them, mind capitals, and leave"
                            + " advanced.metadata.schema on"));
    if (table.getColumns().values().stream().anyMatch(Source::isCounter)) {
      throw new BackfillException(
          "the source "
              + qualified
              + " has counters: two that count are neither of them the last, so no copy of them can"
              + " be right while others count. Stop the counting and copy them yourself");
    }
    TokenMap ring =
        session
            .getMetadata()
            .getTokenMap()
            .filter(found -> found.getPartitionerName().endsWith("Murmur3Partitioner"))
            .orElseThrow(
                () ->
                    new BackfillException(
                        "a backfill goes through the ring of Murmur3Partitioner, and the driver"
                            + " shows none: leave advanced.metadata.token-map on; clusters with"
                            + " other partitioners are not supported"));
    return new Source(qualified, table, ring);
  }

  /** Its name, for messages and to know it again. */
  String name() {
    return name;
  }

  private static String select(TableMetadata table) {
    List<String> selected = new ArrayList<>();
    table.getColumns().keySet().forEach(column -> selected.add(column.asCql(true)));
    selected.add(token(table));
    table.getColumns().values().stream()
        .filter(column -> mayExpire(table, column))
        .forEach(column -> selected.add("TTL(" + column.getName().asCql(true) + ")"));
    return "SELECT "
        + String.join(", ", selected)
        + " FROM "
        + table.getKeyspace().asCql(true)
        + "."
        + table.getName().asCql(true)
        + " WHERE "
        + token(table)
        + " > ? AND "
        + token(table)
        + " <= ?";
  }

  private static String token(TableMetadata table) {
    return table.getPartitionKey().stream()
        .map(column -> column.getName().asCql(true))
        .collect(Collectors.joining(", ", "token(", ")"));
  }

  /** The rest have a TTL for each element. */
  private static boolean mayExpire(TableMetadata table, ColumnMetadata column) {
    DataType type = column.getType();
    boolean inParts =
        (type instanceof ListType list && !list.isFrozen())
            || (type instanceof SetType set && !set.isFrozen())
            || (type instanceof MapType map && !map.isFrozen())
            || (type instanceof UserDefinedType udt && !udt.isFrozen());
    return !inParts && !table.getPrimaryKey().contains(column);
  }

  private static boolean isCounter(ColumnMetadata column) {
    return column.getType().equals(DataTypes.COUNTER);
  }

  /** How long its rows live where nobody says otherwise, in seconds; 0 for ever. */
  int defaultTtlSeconds() {
    Object ttl = table.getOptions().get(CqlIdentifier.fromInternal("default_time_to_live"));
    return ttl instanceof Number number ? number.intValue() : 0;
  }

  /** The last token that is asked for together with the one behind {@code token}. */
  long sliceEnd(long token) {
    return Optional.ofNullable(boundaries.higher(token)).orElse(Long.MAX_VALUE);
  }

  /** The rows whose tokens are above the first and up to the last. */
  SimpleStatement rows(long after, long upTo, ConsistencyLevel level, int pageRows) {
    return SimpleStatement.newInstance(select, after, upTo)
        .setConsistencyLevel(level)
        .setPageSize(pageRows)
        .setIdempotent(true)
        .setRoutingKeyspace(table.getKeyspace())
        .setRoutingToken(ring.parse(Long.toString(upTo)));
  }

  long token(Row row) {
    return row.getLong(table.getColumns().size());
  }

  /** Whether any of its columns had a TTL. */
  boolean isExpiring(Row row) {
    for (int index = table.getColumns().size() + 1; index < row.getColumnDefinitions().size(); ) {
      if (!row.isNull(index++)) {
        return true;
      }
    }
    return false;
  }

  /** A row's primary key, for messages: no longer than they can be, and safe to print. */
  String keyOf(Row row) {
    String key =
        table.getPrimaryKey().stream()
            .map(column -> column.getName().asCql(true) + " = " + literal(row, column.getName()))
            .collect(Collectors.joining(" AND "))
            .replaceAll("\\p{Cntrl}", "?");
    return key.length() <= MAX_KEY_LENGTH ? key : key.substring(0, MAX_KEY_LENGTH) + "...";
  }

  private static String literal(Row row, CqlIdentifier column) {
    return row.codecRegistry().codecFor(row.getType(column)).format(row.getObject(column));
  }
}
