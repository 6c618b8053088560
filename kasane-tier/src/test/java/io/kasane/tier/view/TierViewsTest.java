/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.view;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import java.util.Map;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.auth.IAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a SELECT from {@code kasane_views} says of a table. */
@InProcess
class TierViewsTest {
  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  private static UntypedResultSet select(String view, Table table) {
    String[] words = table.name().split("\\.", 2);
    return cql(
        "SELECT * FROM kasane_views." + view + " WHERE keyspace_name = ? AND table_name = ?",
        words[0],
        words[1]);
  }

  private static Table table() {
    Table table = InProcessTiers.table(Map.of("fast_quota", "100MiB"), 3, 7);
    table.flush(0, 10, "v");
    return table;
  }

  private static UntypedResultSet.Row tier(Table table, String tier) {
    for (UntypedResultSet.Row row : select("tiers", table)) {
      if (row.getString("tier").equals(tier)) {
        return row;
      }
    }
    throw new AssertionError("no tier " + tier);
  }

  @Test
  void theTableHasItsOptions() {
    UntypedResultSet.Row row = select("tables", table()).one();
    assertThat(row.getString("policy")).isEqualTo("chosen");
    assertThat(row.getString("placement")).isEqualTo("heat");
    assertThat(row.getString("tier_mode")).isEqualTo("tier");
    assertThat(row.getLong("fast_quota_bytes")).isEqualTo(100L << 20);
  }

  @Test
  void bytesAreThoseOfTheLiveSSTables() {
    Table table = table();
    UntypedResultSet.Row row = select("tables", table).one();
    assertThat(row.getLong("fast_bytes"))
        .isEqualTo(table.sstables(Disk.FAST).stream().mapToLong(SSTableReader::bytesOnDisk).sum())
        .isPositive();
    assertThat(row.getLong("slow_bytes"))
        .isEqualTo(table.sstables(Disk.SLOW).stream().mapToLong(SSTableReader::bytesOnDisk).sum())
        .isPositive();
    assertThat(row.getLong("fast_only_bytes")).isEqualTo(row.getLong("fast_bytes"));
  }

  @Test
  void tiersAreCounted() {
    Table table = table();
    UntypedResultSet.Row fast = tier(table, Tier.FAST.label());
    UntypedResultSet.Row slow = tier(table, Tier.SLOW.label());
    assertThat(fast.getInt("sstables")).isEqualTo(table.sstables(Disk.FAST).size());
    assertThat(fast.getLong("partitions")).isEqualTo(2);
    assertThat(slow.getInt("sstables")).isEqualTo(1);
    assertThat(slow.getLong("partitions")).isEqualTo(8);
  }

  @Test
  void readsAreCountedByTheDiskThatServedThem() {
    Table table = table();
    UntypedResultSet.Row before = select("tables", table).one();
    table.read(3);
    table.read(7);
    table.read(7);
    table.read(4);
    UntypedResultSet.Row after = select("tables", table).one();
    assertThat(after.getLong("reads_fast") - before.getLong("reads_fast")).isEqualTo(3);
    assertThat(after.getLong("reads_slow") - before.getLong("reads_slow")).isEqualTo(1);
    assertThat(after.getDouble("fast_read_share")).isEqualTo(0.75);
    assertThat(after.getDouble("sstables_per_read")).isEqualTo(1);
  }

  @Test
  void aReadOfMemoryIsOne() {
    Table table = table();
    table.insert(99, 1, "memory");
    table.read(99);
    assertThat(select("tables", table).one().getLong("reads_memory")).isEqualTo(1);
  }

  @Test
  void movesAreCounted() {
    Table table = table();
    table.alter(Map.of(), 4);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    UntypedResultSet.Row row = select("tables", table).one();
    assertThat(row.getLong("promoted_rows")).isEqualTo(1);
    assertThat(row.getLong("promoted_bytes")).isPositive();
    assertThat(row.getLong("demoted_rows")).isEqualTo(2);
    assertThat(row.getLong("demoted_bytes")).isPositive();
  }

  @Test
  void theHottestKeyIsTheOneThatIsReadMost() {
    Table table = table();
    for (int i = 0; i < 50; i++) {
      table.read(7);
    }
    table.read(4);
    UntypedResultSet.Row first = null;
    for (UntypedResultSet.Row row : select("hottest_keys", table)) {
      first = first == null || row.getInt("rank") < first.getInt("rank") ? row : first;
    }
    assertThat(first.getInt("rank")).isEqualTo(1);
    assertThat(first.getString("key")).isEqualTo("7");
    assertThat(first.getString("tier")).isEqualTo(Tier.FAST.label());
    assertThat(first.getDouble("access_share")).isGreaterThan(0.9);
  }

  @Test
  void keysAreShownWherePermissionsAreCheckedAndTheOperatorSaysSo() {
    IAuthorizer before = DatabaseDescriptor.getAuthorizer();
    DatabaseDescriptor.setAuthorizer(
        new AllowAllAuthorizer() {
          @Override
          public boolean requireAuthorization() {
            return true;
          }
        });
    try {
      theHottestKeyIsTheOneThatIsReadMost();
    } finally {
      DatabaseDescriptor.setAuthorizer(before);
    }
  }

  @Test
  void allReadsAreOnAllRows() {
    Table table = table();
    for (int k = 0; k < 10; k++) {
      table.read(k);
    }
    double last = 0;
    for (UntypedResultSet.Row row : select("access_distribution", table)) {
      assertThat(row.getDouble("access_share")).isGreaterThanOrEqualTo(last);
      last = row.getDouble("access_share");
    }
    assertThat(last).isEqualTo(1);
  }

  @Test
  void theHeatMapTellsWhereRowsLie() {
    Table table = table();
    for (int i = 0; i < 20; i++) {
      table.read(7);
    }
    UntypedResultSet.Row first = select("heat_map", table).iterator().next();
    assertThat(first.getLong("first_rank")).isEqualTo(1);
    assertThat(first.getDouble("fast_share")).isEqualTo(1);
    assertThat(first.getDouble("slow_share")).isZero();
  }

  @Test
  void historyHasMoments() {
    Table table = table();
    table.read(7);
    table.tiers().maintain(1_000_000);
    assertThat(select("history", table))
        .anySatisfy(
            row -> {
              assertThat(row.getLong("at")).isEqualTo(1_000_000);
              assertThat(row.getLong("reads_fast")).isEqualTo(1);
            });
  }

  @Test
  void aLargerQuotaServesNoFewerReads() {
    Table table = table();
    for (int k = 0; k < 10; k++) {
      for (int i = 0; i <= k; i++) {
        table.read(k);
      }
    }
    double last = 0;
    int rows = 0;
    for (UntypedResultSet.Row row : select("sizing", table)) {
      assertThat(row.getDouble("read_share")).isGreaterThanOrEqualTo(last);
      last = row.getDouble("read_share");
      rows++;
    }
    assertThat(rows).isPositive();
  }

  @Test
  void noTaskRunsWhereNothingIsCompacted() {
    assertThat(select("tasks", table())).isEmpty();
  }
}
