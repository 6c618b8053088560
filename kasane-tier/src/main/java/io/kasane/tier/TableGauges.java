/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.host.TableMetrics;

/**
 * What of a table can be read as a metric at any time; docs/operate/monitor.md lists it for users.
 */
final class TableGauges {
  private TableGauges() {}

  static void register(TableMetrics metrics, TableTiers table) {
    ReadStats reads = table.readStats();
    metrics.gauge("ReadsFast", reads.fastReads::sum);
    metrics.gauge("ReadsSlow", reads.slowReads::sum);
    metrics.gauge("SlowLookUps", reads.slowLookUps::sum);
    metrics.gauge("ReadsMemory", reads::memoryReads);
    metrics.gauge("FastReadShare", reads::fastReadShare);
    metrics.gauge("SSTablesPerRead", reads::sstablesPerRead);
    metrics.gauge("SSTablesPerHotRead", reads::sstablesPerHotRead);
    metrics.gauge("BytesFast", () -> table.liveBytes(Tier.FAST));
    metrics.gauge("BytesFastOnly", () -> table.copies().fastOnlyBytes());
    metrics.gauge("BytesSlow", () -> table.liveBytes(Tier.SLOW));
    metrics.gauge("TrackedKeys", () -> table.tracker().trackedKeys());
    metrics.gauge("HotKeys", () -> table.hotSet().hotKeys());
  }
}
