/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.view;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.host.view.Views;
import io.kasane.tier.stats.MoveStats;
import io.kasane.tier.stats.ReadStats;
import io.kasane.tier.stats.TableSample;
import io.kasane.tier.table.HeatCoverage;
import io.kasane.tier.table.TieredTable;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** The tables of {@code kasane_views}; docs/operate/monitor.md explains them. */
public final class TierViews {
  /** As many as fit a screen or two: each costs look-ups. */
  private static final int HOTTEST_KEYS = 100;

  /** Enough for a curve, and few enough to read. */
  private static final int SIZES = 24;

  /** Closer together where access is skewed. */
  private static final double[] TOP_PERCENTS = {0.1, 0.5, 1, 2, 5, 10, 20, 30, 50, 100};

  private TierViews() {}

  public static void register(Supplier<List<TableReport>> reports) {
    Views.register(
        List.of(
            Views.table(
                "tables",
                "Tables with heat tiers on this node",
                "keyspace_name text, table_name text, policy text, placement text,"
                    + " tier_mode text,"
                    + " fast_quota_bytes bigint, fast_used_bytes bigint, fast_fill double,"
                    + " fast_bytes bigint, fast_only_bytes bigint, slow_bytes bigint,"
                    + " reads_memory bigint, reads_fast bigint, reads_slow bigint,"
                    + " fast_read_share double, sstables_per_read double,"
                    + " promoted_rows bigint, promoted_bytes bigint, copied_rows bigint,"
                    + " copies_pay boolean,"
                    + " demoted_rows bigint, demoted_bytes bigint, refused_rows bigint,"
                    + " tracked_keys bigint, hot_keys bigint, hot_bytes bigint,"
                    + " hot_access_share double, known_heat_share double,"
                    + " heat_memory_bytes bigint, left_out_memory_bytes bigint, PRIMARY KEY (keyspace_name, table_name)",
                1,
                rows -> reports.get().forEach(report -> tableRow(rows, report))),
            Views.table(
                "tiers",
                "What lies on each tier",
                "keyspace_name text, table_name text, tier text, sstables int, bytes bigint,"
                    + " partitions bigint, sstable_reads bigint, waits bigint,"
                    + " PRIMARY KEY ((keyspace_name, table_name), tier)",
                2,
                rows -> reports.get().forEach(report -> tierRows(rows, report))),
            Views.table(
                "hottest_keys",
                "The hottest keys",
                "keyspace_name text, table_name text, rank int, key text, heat double,"
                    + " access_share double, size_bytes bigint, tier text,"
                    + " PRIMARY KEY ((keyspace_name, table_name), rank)",
                2,
                rows -> reports.get().forEach(report -> hottestRows(rows, report))),
            Views.table(
                "access_distribution",
                "Share of accesses on the hottest keys",
                "keyspace_name text, table_name text, top_percent double, access_share double,"
                    + " PRIMARY KEY ((keyspace_name, table_name), top_percent)",
                2,
                rows -> reports.get().forEach(report -> distributionRows(rows, report))),
            Views.table(
                "heat_map",
                "Rows of like heat, and where they lie",
                "keyspace_name text, table_name text, first_rank bigint, last_rank bigint,"
                    + " access_share double, fast_share double, slow_share double,"
                    + " PRIMARY KEY ((keyspace_name, table_name), first_rank)",
                2,
                rows -> reports.get().forEach(report -> heatMapRows(rows, report))),
            Views.table(
                "history",
                "Reads and moves since the node started, at moments",
                "keyspace_name text, table_name text, at timestamp, reads_memory bigint,"
                    + " reads_fast bigint, reads_slow bigint, fast_bytes bigint,"
                    + " promoted_rows bigint, demoted_rows bigint,"
                    + " PRIMARY KEY ((keyspace_name, table_name), at)",
                2,
                rows -> reports.get().forEach(report -> historyRows(rows, report))),
            Views.table(
                "sizing",
                "Share of reads that the fast disk would serve, by its quota",
                "keyspace_name text, table_name text, fast_quota_bytes bigint, hot_rows bigint,"
                    + " read_share double, remark text,"
                    + " PRIMARY KEY ((keyspace_name, table_name), fast_quota_bytes)",
                2,
                rows -> reports.get().forEach(report -> sizingRows(rows, report))),
            Views.table(
                "windows",
                "Windows of time on the slow disk",
                "keyspace_name text, table_name text, begins_at timestamp, sstables int,"
                    + " bytes bigint, is_expired boolean,"
                    + " PRIMARY KEY ((keyspace_name, table_name), begins_at)",
                2,
                rows -> reports.get().forEach(report -> windowRows(rows, report))),
            Views.table(
                "tasks",
                "Running compactions",
                "keyspace_name text, table_name text, id bigint, kind text, sstables int,"
                    + " bytes bigint, started_at timestamp,"
                    + " PRIMARY KEY ((keyspace_name, table_name), id)",
                2,
                rows -> reports.get().forEach(report -> taskRows(rows, report)))));
  }

  private static void tableRow(SimpleDataSet rows, TableReport report) {
    TieredTable table = report.table();
    ReadStats reads = table.readStats();
    MoveStats moves = table.moves();
    HotSet hot = table.heat().hotSet();
    rows.row(report.keyspace(), report.name())
        .column("policy", table.options().policyName())
        .column("placement", table.options().placementName())
        .column("tier_mode", table.options().mode().name().toLowerCase(Locale.ROOT))
        .column("fast_quota_bytes", table.room().limitBytes())
        .column("fast_used_bytes", table.fast().usedBytes())
        .column("fast_fill", table.fastFill())
        .column("fast_bytes", table.disks().liveBytes(Tier.FAST))
        .column("fast_only_bytes", table.copies().fastOnlyBytes())
        .column("slow_bytes", table.disks().liveBytes(Tier.SLOW))
        .column("reads_memory", reads.memoryReads())
        .column("reads_fast", reads.fastReads.sum())
        .column("reads_slow", reads.slowReads.sum())
        .column("fast_read_share", reads.fastReadShare())
        .column("sstables_per_read", reads.sstablesPerRead())
        .column("promoted_rows", moves.promotedRows.getCount())
        .column("promoted_bytes", moves.promotedBytes.getCount())
        .column("copied_rows", moves.copiedRows.getCount())
        .column("copies_pay", table.admission().copiesPay())
        .column("demoted_rows", moves.demotedRows.getCount())
        .column("demoted_bytes", moves.demotedBytes.getCount())
        .column("refused_rows", moves.refusedRows.getCount())
        .column("tracked_keys", table.heat().tracker().trackedKeys())
        .column("hot_keys", hot.hotKeys())
        .column("hot_bytes", hot.hotBytes())
        .column("hot_access_share", hot.accessShare())
        .column("known_heat_share", HeatCoverage.share(table))
        .column("heat_memory_bytes", table.heat().tracker().memoryBytes())
        .column("left_out_memory_bytes", table.skippable().bytes());
  }

  private static void tierRows(SimpleDataSet rows, TableReport report) {
    for (Tier tier : Tier.values()) {
      TableReport.TierSum sum = report.sum(tier);
      rows.row(report.keyspace(), report.name(), tier.label())
          .column("sstables", sum.sstables())
          .column("bytes", sum.bytes())
          .column("partitions", sum.partitions())
          .column("sstable_reads", sum.reads())
          .column("waits", report.waits(tier));
    }
  }

  private static void hottestRows(SimpleDataSet rows, TableReport report) {
    int rank = 0;
    for (TableReport.HotKey key : report.hottest(HOTTEST_KEYS)) {
      rows.row(report.keyspace(), report.name(), ++rank)
          .column("key", key.key())
          .column("heat", key.heat())
          .column("access_share", key.accessShare())
          .column("size_bytes", key.sizeBytes())
          .column("tier", key.tier() == null ? "" : key.tier().label());
    }
  }

  private static void distributionRows(SimpleDataSet rows, TableReport report) {
    double[] shares = report.table().heat().tracker().snapshot().accessShareOfHottest(TOP_PERCENTS);
    for (int i = 0; i < shares.length; i++) {
      rows.row(report.keyspace(), report.name(), TOP_PERCENTS[i]).column("access_share", shares[i]);
    }
  }

  private static void heatMapRows(SimpleDataSet rows, TableReport report) {
    for (TableReport.HeatBand band : report.heatMap()) {
      rows.row(report.keyspace(), report.name(), band.firstRank())
          .column("last_rank", band.lastRank())
          .column("access_share", band.accessShare())
          .column("fast_share", band.fastShare())
          .column("slow_share", band.slowShare());
    }
  }

  private static void historyRows(SimpleDataSet rows, TableReport report) {
    for (TableSample moment : report.table().history().all()) {
      rows.row(report.keyspace(), report.name(), Date.from(Instant.ofEpochMilli(moment.atMillis())))
          .column("reads_memory", moment.memoryReads())
          .column("reads_fast", moment.fastReads())
          .column("reads_slow", moment.slowReads())
          .column("fast_bytes", moment.fastBytes())
          .column("promoted_rows", moment.promotedRows())
          .column("demoted_rows", moment.demotedRows());
    }
  }

  private static void sizingRows(SimpleDataSet rows, TableReport report) {
    for (TableReport.Sizing sizing : report.sizing(SIZES)) {
      rows.row(report.keyspace(), report.name(), sizing.fastQuotaBytes())
          .column("hot_rows", sizing.hotRows())
          .column("read_share", sizing.readShare())
          .column("remark", sizing.remark());
    }
  }

  private static void windowRows(SimpleDataSet rows, TableReport report) {
    for (TableReport.Window window : report.windows()) {
      rows.row(
              report.keyspace(),
              report.name(),
              Date.from(Instant.ofEpochMilli(window.beginsAtMillis())))
          .column("sstables", window.sstables())
          .column("bytes", window.bytes())
          .column("is_expired", window.isExpired());
    }
  }

  private static void taskRows(SimpleDataSet rows, TableReport report) {
    for (TableReport.Task task : report.tasks()) {
      rows.row(report.keyspace(), report.name(), task.id())
          .column("kind", task.kind())
          .column("sstables", task.sstables())
          .column("bytes", task.bytes())
          .column("started_at", Date.from(Instant.ofEpochMilli(task.startedAtMillis())));
    }
  }
}
