/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.migrate.PendingMoves;
import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.spi.EngineServer;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import io.kasane.host.view.Views;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualTable;

/** The engines' tables of {@code kasane_views}; docs/operate/monitor.md explains them. */
final class EngineViews {
  private EngineViews() {}

  static List<VirtualTable> of(EngineReports reports) {
    return List.of(
        Views.table(
            "engines",
            "Storage engines of this node",
            "engine text PRIMARY KEY, is_open boolean, takes_writes boolean,"
                + " answers_reads boolean, out_reason text, out_seconds bigint,"
                + " failures bigint, readers int, directory text, server text, durability text,"
                + " disk_bytes bigint, capacity_bytes bigint,"
                + " memory_bytes bigint, memory_limit_bytes bigint, tables int",
            1,
            rows -> reports.engines().forEach(report -> engineRow(rows, report))),
        Views.table(
            "engine_tables",
            "Tables of this node with rows in storage engines",
            "keyspace_name text, table_name text, index_name text, engine text,"
                + " is_own boolean, may_have_rows boolean, entry_count bigint, bytes bigint,"
                + " waiting_sstables int, waiting_bytes bigint, oldest_waiting_seconds bigint,"
                + " failures bigint,"
                + " PRIMARY KEY ((keyspace_name, table_name), index_name, engine)",
            2,
            rows -> reports.tables().forEach(report -> tableRow(rows, report))));
  }

  private static void engineRow(SimpleDataSet rows, EngineReport report) {
    NodeEngine engine = report.engine();
    Outage outage = report.outage();
    rows.row(engine.name())
        .column("is_open", engine.isOpen())
        .column("takes_writes", engine.isOpen() && engine.writes().isClosed())
        .column("answers_reads", engine.isOpen() && engine.reads().isClosed())
        .column("out_seconds", outage.outSeconds())
        .column("failures", outage.failures())
        .column("readers", engine.gate().readers())
        .column("directory", engine.options().directory().toString())
        .column("durability", engine.options().durability().name().toLowerCase(Locale.ROOT))
        .column("capacity_bytes", engine.options().capacityBytes())
        .column("memory_limit_bytes", engine.options().memoryBytes());
    known(rows, "server", engine.options().server().map(EngineServer::toString));
    known(rows, "out_reason", Optional.ofNullable(outage.reason()));
    known(rows, "disk_bytes", report.usage().map(EngineUsage::diskBytes));
    known(rows, "tables", report.usage().map(EngineUsage::tables));
    known(rows, "memory_bytes", report.usage().map(EngineUsage::memoryBytes));
  }

  private static void tableRow(SimpleDataSet rows, TableReport report) {
    PendingMoves waiting = report.waiting();
    rows.row(report.keyspace(), report.name(), report.index(), report.stored().engine().name())
        .column("is_own", report.isOwn())
        .column("may_have_rows", report.stored().mayHaveRows())
        .column("waiting_sstables", waiting.sstables())
        .column("waiting_bytes", waiting.bytes())
        .column("oldest_waiting_seconds", waiting.oldest().toSeconds())
        .column("failures", report.stored().failures());
    known(rows, "entry_count", report.size().map(EngineTable.Size::entries));
    known(rows, "bytes", report.size().map(EngineTable.Size::bytes));
  }

  /** Of the row that was begun last; it does not take null for what is not known. */
  private static void known(SimpleDataSet rows, String column, Optional<?> value) {
    value.ifPresent(known -> rows.column(column, known));
  }
}
