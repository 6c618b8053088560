/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.OptionalLong;

/**
 * One row of {@code kasane_views.engine_tables}: what one engine has of a table, or of an index.
 *
 * @param keyspace the table's keyspace
 * @param table its name
 * @param index the index; empty if it is the table itself
 * @param engine the engine
 * @param isOwn whether the schema names the engine; it is being drained else
 * @param mayHaveRows whether there may be rows in it
 * @param entries as last known
 * @param bytes on its disk, as last known
 * @param waitingSSTables SSTables that wait to move in
 * @param waitingBytes their bytes
 * @param oldestWaitingSeconds the age of the oldest
 * @param failures of reads and writes, since the node started
 */
public record EngineTableView(
    String keyspace,
    String table,
    String index,
    String engine,
    boolean isOwn,
    boolean mayHaveRows,
    OptionalLong entries,
    OptionalLong bytes,
    int waitingSSTables,
    long waitingBytes,
    long oldestWaitingSeconds,
    long failures) {

  static EngineTableView of(Row row) {
    return new EngineTableView(
        row.getString("keyspace_name"),
        row.getString("table_name"),
        row.getString("index_name"),
        row.getString("engine"),
        row.getBoolean("is_own"),
        row.getBoolean("may_have_rows"),
        EngineView.ifKnown(row, "entry_count"),
        EngineView.ifKnown(row, "bytes"),
        row.getInt("waiting_sstables"),
        row.getLong("waiting_bytes"),
        row.getLong("oldest_waiting_seconds"),
        row.getLong("failures"));
  }
}
