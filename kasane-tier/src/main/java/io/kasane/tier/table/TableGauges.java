/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.host.view.TableMetrics;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.quota.FastTier;
import io.kasane.tier.stats.ReadStats;

/**
 * What of a table can be read as a metric at any time; docs/operate/monitor.md lists it for users.
 */
final class TableGauges {
  private TableGauges() {}

  static void register(TableMetrics metrics, TieredTable table) {
    ReadStats reads = table.readStats();
    metrics.gauge("ReadsFast", reads.fastReads::sum);
    metrics.gauge("ReadsSlow", reads.slowReads::sum);
    metrics.gauge("SlowLookUps", reads.slowLookUps::sum);
    metrics.gauge("ReadsMemory", reads::memoryReads);
    metrics.gauge("FastReadShare", reads::fastReadShare);
    metrics.gauge("SSTablesPerRead", reads::sstablesPerRead);
    metrics.gauge("SSTablesPerHotRead", reads::sstablesPerHotRead);
    metrics.gauge("BytesFast", () -> table.disks().liveBytes(Tier.FAST));
    metrics.gauge("BytesFastOnly", () -> table.copies().fastOnlyBytes());
    metrics.gauge("BytesFastQuota", () -> table.room().limitBytes());
    metrics.gauge("BytesFastUsed", () -> table.fast().usedBytes());
    metrics.gauge("CacheMode", () -> table.options().mode() == TierOptions.Mode.CACHE ? 1 : 0);
    metrics.gauge("BytesSlow", () -> table.disks().liveBytes(Tier.SLOW));
    metrics.gauge("BytesSlowRoom", () -> table.disks().slowRoomBytes());
    metrics.gauge("FastDiskOut", () -> isOut(table.fast()) ? 1 : 0);
    metrics.gauge("TrackedKeys", () -> table.heat().tracker().trackedKeys());
    metrics.gauge("HotKeys", () -> table.heat().hotSet().hotKeys());
    metrics.gauge("KnownHeatShare", () -> HeatCoverage.share(table));
    metrics.gauge("HeatMemoryBytes", () -> table.heat().tracker().memoryBytes());
    metrics.gauge("LeftOutMemoryBytes", () -> table.skippable().bytes());
  }

  private static boolean isOut(FastTier fast) {
    return fast.exists() && !fast.takesWrites();
  }
}
