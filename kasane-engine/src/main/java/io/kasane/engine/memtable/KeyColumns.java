/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.rows.KeyTypes;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.cassandra.cql3.statements.schema.IndexTarget;
import org.apache.cassandra.index.TargetParser;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which columns' values are put into an engine's keys: those of the clustering, and those of the
 * table's indexes. Partition keys are there as bytes, whatever their types are. Thread-safe.
 */
final class KeyColumns {
  private static final Logger logger = LoggerFactory.getLogger(KeyColumns.class);
  private static final Set<TableId> warned = ConcurrentHashMap.newKeySet();

  private KeyColumns() {}

  /** A column whose type has no keys that engines could tell its values by. */
  static Optional<ColumnMetadata> inexact(TableMetadata base) {
    return Stream.concat(base.clusteringColumns().stream(), indexed(base))
        .filter(column -> !KeyTypes.isExact(column.type))
        .findFirst();
  }

  private static Stream<ColumnMetadata> indexed(TableMetadata base) {
    return base.indexes.stream()
        .filter(index -> !index.isCustom())
        .map(index -> TargetParser.parse(base, index.options.get(IndexTarget.TARGET_OPTION_NAME)))
        .flatMap(target -> target == null ? Stream.empty() : Stream.of(target.left));
  }

  /** Says once of a table why its rows do not go to the engine that it names. */
  static void warn(TableMetadata base, String engine) {
    inexact(base)
        .filter(column -> warned.add(base.id))
        .ifPresent(
            column ->
                logger.warn(
                    "{} stays in SSTables, whatever its memtable says: values of its column {} ({})"
                        + " cannot be in keys of {}. To have it there, copy it to a table with"
                        + " another type of that column, or drop the index on it; to have it in"
                        + " SSTables, alter it to a memtable without an engine",
                    base,
                    column.name,
                    column.type.asCQL3Type(),
                    engine));
  }
}
