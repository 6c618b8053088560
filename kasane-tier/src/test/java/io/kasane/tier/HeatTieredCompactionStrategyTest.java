/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers.Table;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.table.TierTask;
import io.kasane.tier.table.TieredTable;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the strategy picks by itself, what it does as asked, and which options it takes. */
@InProcess
class HeatTieredCompactionStrategyTest {
  private static final Map<String, String> TIER = Map.of();

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  private static void compactAllThatIsDue(Table table, long gcBefore) {
    for (int left = 20; table.compactNext(gcBefore); left--) {
      assertThat(left).as("compactions without an end").isPositive();
    }
  }

  // ---- picks

  @Test
  void nothingIsDueOfATableWithoutSSTables() {
    Table table = InProcessTiers.table(TIER, 3);
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isFalse();
  }

  @Test
  void fewSSTablesOnSlowAreLeft() {
    Table table = InProcessTiers.table(TIER, 77);
    for (int i = 0; i < 3; i++) {
      table.flush(0, 10, "v");
    }
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isFalse();
    assertThat(table.sstables(Disk.SLOW)).hasSize(3);
  }

  @Test
  void fourOfLikeSizeOnSlowAreMerged() {
    Table table = InProcessTiers.table(TIER, 77);
    for (int i = 0; i < 4; i++) {
      table.flush(0, 10, "v" + i + "-");
    }
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isTrue();
    assertThat(table.sstables(Disk.SLOW)).hasSize(1);
    assertThat(table.read(4)).containsExactly("1=v3-4");
  }

  @Test
  void thresholdsAreTheTables() {
    Table table = InProcessTiers.table(Map.of("min_threshold", "2"), 77);
    table.flush(0, 10, "v");
    table.flush(0, 10, "w");
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isTrue();
    assertThat(table.sstables(Disk.SLOW)).hasSize(1);
  }

  @Test
  void sstablesOnFastAreMergedAmongThemselves() {
    Table table = InProcessTiers.table(Map.of("min_threshold", "32"), 3, 7);
    for (int i = 0; i < 8; i++) {
      table.flush(0, 10, "v" + i + "-");
    }
    compactAllThatIsDue(table, InProcessTiers.PURGE_NOTHING);
    assertThat(table.sstables(Disk.FAST).size()).isLessThan(8);
    assertThat(table.sstables(Disk.SLOW)).hasSize(8);
    assertThat(Set.copyOf(table.keys(Disk.FAST))).containsExactlyInAnyOrder(3, 7);
    assertThat(table.read(3)).containsExactly("1=v7-3");
  }

  @Test
  void slowSSTablesWhoseHotRowsAreReadMuchAreRewritten() {
    Map<String, String> options =
        Map.of("promotion", "by-rewriting", "slow_read_cost", "1GiB", "min_threshold", "32");
    Table table = InProcessTiers.table(options, 77);
    table.flush(0, 10, "v");
    table.alter(options, 3);
    for (int i = 0; i < 100; i++) {
      table.read(3);
    }
    compactAllThatIsDue(table, InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).hasSize(9);
  }

  @Test
  void slowSSTablesWhoseHotRowsAreNotReadStay() {
    Map<String, String> options = Map.of("promotion", "by-rewriting", "min_threshold", "32");
    Table table = InProcessTiers.table(options, 77);
    table.flush(0, 10, "v");
    table.alter(options, 3);
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isFalse();
    assertThat(table.keys(Disk.FAST)).isEmpty();
  }

  /** As the policy that goes by a list does, which may come later. */
  @Test
  void aPolicyLooksAtWhatItGoesByNowAndThen() {
    Table table = InProcessTiers.table(Map.of(ChosenKeys.LATER, "3", "min_threshold", "32"), 77);
    Awaitility.await()
        .until(
            () -> {
              table.tiers().refreshHotSet();
              table.flush(0, 10, "v");
              return table.keys(Disk.FAST).contains(3);
            });
  }

  /** That they are copies is known when the task ends. */
  @Test
  void whatARunningTaskHasJustWrittenIsNotTakenForRowsThatSlowLacks() {
    Table table = InProcessTiers.table(TIER, 3);
    RunningTasks tasks = table.tiers().tasks();
    RunningTasks.Entry copying = tasks.begin(Pick.Kind.COPY, Set.of(), 0);
    table.flush(0, 10, "v");
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    table.alter(Map.of("tier_mode", "cache"), 3);
    Awaitility.await().until(() -> isRestored(table));
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isFalse();
    tasks.end(copying);
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isTrue();
    assertThat(table.keys(Disk.SLOW)).contains(3).hasSize(10);
  }

  private static boolean isRestored(Table table) {
    table.tiers().skippable().restore();
    return table.tiers().skippable().isRestored();
  }

  @Test
  void whenTheQuotaShrinksColdRowsLeaveFast() {
    Table table = InProcessTiers.table(Map.of("min_threshold", "32"), 3);
    for (int c = 0; c < 4; c++) {
      table.insert(3, c, "x".repeat(20_000));
      flush(table.cfs());
    }
    assertThat(table.sstables(Disk.FAST)).hasSize(4);
    table.alter(Map.of("fast_quota", "150KiB", "min_threshold", "32"), 77);
    Awaitility.await("once what lies on fast was looked at")
        .until(() -> table.compactNext(InProcessTiers.PURGE_NOTHING));
    assertThat(table.sstables(Disk.FAST)).hasSizeLessThan(4);
    assertThat(table.read(3)).hasSize(4);
  }

  @Test
  void tombstonesOnFastArePurgedWithWhatTheyDelete() {
    Table table = InProcessTiers.table(Map.of("min_threshold", "32"), 3, 7);
    table.flush(0, 10, "v");
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    cql("DELETE FROM " + table.name() + " WHERE k = 7");
    flush(table.cfs());
    compactAllThatIsDue(table, InProcessTiers.PURGE_ALL);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.count()).isEqualTo(8);
  }

  @Test
  void whatIsBeingCompactedIsNotPicked() {
    Table table = InProcessTiers.table(TIER, 77);
    for (int i = 0; i < 4; i++) {
      table.flush(0, 10, "v");
    }
    try (LifecycleTransaction running = mark(table)) {
      assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isFalse();
      running.abort();
    }
    assertThat(table.compactNext(InProcessTiers.PURGE_NOTHING)).isTrue();
  }

  private static LifecycleTransaction mark(Table table) {
    return mark(table, table.sstables(Disk.SLOW).get(0));
  }

  private static LifecycleTransaction mark(Table table, SSTableReader sstable) {
    return table.cfs().getTracker().tryModify(sstable, OperationType.COMPACTION);
  }

  // ---- as asked

  @Test
  void aRequestForWhatIsBeingCompactedWaits() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    table.flush(0, 10, "w");
    Set<SSTableReader> all = Set.copyOf(table.sstables(Disk.SLOW));
    AbstractCompactionTask task;
    try (LifecycleTransaction running = mark(table)) {
      task = table.task(all, InProcessTiers.PURGE_NOTHING);
      assertThat(table.sstables(Disk.SLOW)).hasSize(2);
      running.abort();
    }
    task.execute(ActiveCompactionsTracker.NOOP);
    assertThat(table.sstables(Disk.SLOW)).hasSize(1);
  }

  @Test
  void aTableThatLeavesTheStrategyKeepsItsRowsOnFast() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    cql(
        "ALTER TABLE "
            + table.name()
            + " WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
    assertThat(table.count()).isEqualTo(10);
    table.flush(0, 10, "w");
    assertThat(table.keys(Disk.FAST)).hasSize(2);
    assertThat(table.read(3)).containsExactly("1=w3");
  }

  @Test
  void aTruncateEmptiesBothDisks() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.cfs().truncateBlocking();
    assertThat(table.count()).isZero();
    assertThat(table.cfs().getLiveSSTables()).isEmpty();
    Awaitility.await().until(() -> table.files(Disk.FAST).isEmpty());
  }

  // ---- options

  private static void create(String options) {
    cql(
        "CREATE TABLE "
            + InProcessCassandra.newName()
            + " (k int PRIMARY KEY) WITH compaction = {'class': '"
            + HeatTieredCompactionStrategy.class.getName()
            + "'"
            + options
            + "}");
  }

  @Test
  void anOptionOfNobodysIsRefused() {
    assertThatThrownBy(() -> create(", 'heat_polcy': 'budget'"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("heat_polcy");
  }

  @Test
  void aBadValueIsRefusedWithTheOptionAndTheValue() {
    assertThatThrownBy(() -> create(", 'heat_policy': 'hottest'"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("heat_policy", "hottest", "budget");
  }

  @Test
  void aCacheWithoutCopiesIsRefused() {
    assertThatThrownBy(() -> create(", 'tier_mode': 'cache', 'promotion': 'by-rewriting'"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("tier_mode", "cache");
  }

  @Test
  void aBadStockOptionIsRefused() {
    assertThatThrownBy(() -> create(", 'tombstone_threshold': '-1'"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tombstone_threshold");
  }

  /** A node must boot with whatever its schema holds. */
  @Test
  void rowsOfATableWhoseOptionsCannotBeReadStay() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    TieredTable tiers = table.tiers();
    tiers.apply(TierOptions.parseOrStay(Map.of("heat_policy", "hottest")));
    assertThat(tiers.options().trouble()).isPresent();
    SSTableReader fast = table.sstables(Disk.FAST).get(0);
    new TierTask(tiers, mark(table, fast), InProcessTiers.PURGE_NOTHING, Pick.Kind.REQUESTED)
        .execute(ActiveCompactionsTracker.NOOP);
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
  }
}
