/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One row of {@code kasane_views.engines}: a storage engine of one node.
 *
 * @param engine its name
 * @param isOpen whether it was opened
 * @param takesWrites whether flushes go into it; to SSTables else
 * @param answersReads whether reads of its tables are answered
 * @param outReason why it does not do either
 * @param outSeconds since when
 * @param failures of calls and probes, since the node started
 * @param readers threads that read from it now
 * @param directory where its files lie
 * @param diskBytes how long they are, as last known
 */
public record EngineView(
    String engine,
    boolean isOpen,
    boolean takesWrites,
    boolean answersReads,
    Optional<String> outReason,
    long outSeconds,
    long failures,
    int readers,
    String directory,
    OptionalLong diskBytes) {

  static EngineView of(Row row) {
    return new EngineView(
        row.getString("engine"),
        row.getBoolean("is_open"),
        row.getBoolean("takes_writes"),
        row.getBoolean("answers_reads"),
        Optional.ofNullable(row.getString("out_reason")),
        row.getLong("out_seconds"),
        row.getLong("failures"),
        row.getInt("readers"),
        row.getString("directory"),
        ifKnown(row, "disk_bytes"));
  }

  /** Empty if the engine never said. */
  static OptionalLong ifKnown(Row row, String column) {
    return row.isNull(column) ? OptionalLong.empty() : OptionalLong.of(row.getLong(column));
  }
}
