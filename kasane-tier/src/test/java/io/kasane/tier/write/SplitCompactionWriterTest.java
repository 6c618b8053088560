/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.copies.sstables.Tier;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import io.kasane.tier.sstables.SSTableTemperature;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.concurrent.Ref;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where a compaction's rows go, and what it takes away. */
@InProcess
class SplitCompactionWriterTest {
  private static final Map<String, String> TIER = Map.of();

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  /** Rows 0 to 9 on slow, since none was hot when they were written. */
  private static Table allOnSlow() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    assertThat(table.keys(Disk.SLOW)).hasSize(10);
    return table;
  }

  @Test
  void rowsThatBecameHotComeToFast() {
    Table table = allOnSlow();
    table.alter(TIER, 3, 7);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
    assertThat(table.keys(Disk.SLOW)).hasSize(8).doesNotContain(3, 7);
    assertThat(table.count()).isEqualTo(10);
    assertThat(table.tiers().moves().promotedRows.getCount()).isEqualTo(2);
  }

  @Test
  void rowsThatCooledLeaveFast() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.alter(TIER, 7);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(7);
    assertThat(table.keys(Disk.SLOW)).hasSize(9).contains(3);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(table.tiers().moves().demotedRows.getCount()).isEqualTo(1);
  }

  @Test
  void anSSTableOnFastAloneIsCutByHeat() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.alter(TIER, 7);
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(7);
    assertThat(table.keys(Disk.SLOW)).hasSize(9).contains(3);
  }

  @Test
  void theNewestVersionOfARowIsLeft() {
    Table table = InProcessTiers.table(TIER, 3);
    table.flush(0, 5, "old");
    table.flush(0, 5, "new");
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).containsExactlyInAnyOrder(0, 1, 2, 4);
    assertThat(table.read(3)).containsExactly("1=new3");
    assertThat(table.read(4)).containsExactly("1=new4");
  }

  @Test
  void outputsAreInTheOrderOfTokens() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 60, "v");
    table.flush(40, 100, "w");
    table.alter(TIER, 5, 15, 25, 55, 95);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).hasSize(5);
    for (Disk disk : Disk.values()) {
      for (SSTableReader sstable : table.sstables(disk)) {
        assertThat(
                Table.keys(sstable).stream()
                    .map(k -> table.cfs().decorateKey(ByteBufferUtil.bytes(k)))
                    .toList())
            .isSorted();
      }
    }
    assertThat(table.count()).isEqualTo(100);
  }

  @Test
  void hotRowsWithoutRoomLieApartOnSlow() {
    Table table = allOnSlow();
    table.alter(Map.of("fast_quota", "0"), 3, 7);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    assertThat(table.sstables(Disk.SLOW)).hasSize(2);
    assertThat(
            table.sstables(Disk.SLOW).stream()
                .filter(sstable -> SSTableTemperature.isHot(sstable, Tier.SLOW))
                .flatMap(sstable -> Table.keys(sstable).stream()))
        .containsExactlyInAnyOrder(3, 7);
    assertThat(table.tiers().moves().refusedRows.getCount()).isEqualTo(2);
  }

  @Test
  void hotRowsApartOnSlowRiseWhenThereIsRoom() {
    Table table = InProcessTiers.table(Map.of("fast_quota", "0"), 3, 7);
    table.flush(0, 10, "v");
    table.alter(TIER, 3, 7);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
  }

  // ---- tombstones

  @Test
  void tombstonesWhoseTimeHasComeGo() {
    Table table = InProcessTiers.table(TIER, 3);
    table.flush(0, 5, "v");
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    cql("DELETE FROM " + table.name() + " WHERE k = 4");
    flush(table.cfs());
    table.compactAll(InProcessTiers.PURGE_ALL);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.keys(Disk.SLOW)).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void tombstonesWhoseTimeHasNotComeStay() {
    Table table = InProcessTiers.table(TIER, 3);
    table.flush(0, 5, "v");
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    cql("DELETE FROM " + table.name() + " WHERE k = 4");
    flush(table.cfs());
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).contains(4);
    assertThat(table.read(3)).isEmpty();
    assertThat(table.read(4)).isEmpty();
  }

  /** What it deletes would be back. */
  @Test
  void aTombstoneStaysWhileTheOtherDiskHasWhatItDeletes() {
    Table table = allOnSlow();
    table.alter(TIER, 3);
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    flush(table.cfs());
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_ALL);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.read(3)).isEmpty();
  }

  @Test
  void rangeTombstonesGoWithTheirRows() {
    Table table = InProcessTiers.table(TIER, 3);
    for (int c = 0; c < 10; c++) {
      table.insert(3, c, "v");
      table.insert(4, c, "v");
    }
    flush(table.cfs());
    cql("DELETE FROM " + table.name() + " WHERE k = 3 AND c >= 2");
    cql("DELETE FROM " + table.name() + " WHERE k = 4 AND c < 8");
    flush(table.cfs());
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.read(3)).containsExactly("0=v", "1=v");
    assertThat(table.read(4)).containsExactly("8=v", "9=v");
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
  }

  // ---- what fails

  /** Stops a compaction when it begins to read. */
  private static final ActiveCompactionsTracker STOPS =
      new ActiveCompactionsTracker() {
        @Override
        public void beginCompaction(CompactionInfo.Holder compaction) {
          compaction.stop();
        }

        @Override
        public void finishCompaction(CompactionInfo.Holder compaction) {}
      };

  private static List<Path> files(Table table) {
    List<Path> all = new ArrayList<>(table.files(Disk.FAST));
    all.addAll(table.files(Disk.SLOW));
    return all;
  }

  @Test
  void aCompactionThatIsStoppedLeavesAllAsItWas() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.flush(0, 10, "w");
    Set<SSTableReader> live = table.cfs().getLiveSSTables();
    List<Path> before = files(table);
    long used = table.fastFileBytes();
    assertThatThrownBy(() -> table.task(live, InProcessTiers.PURGE_NOTHING).execute(STOPS))
        .isInstanceOf(CompactionInterruptedException.class);
    assertThat(table.cfs().getLiveSSTables()).isEqualTo(live);
    assertThat(files(table)).isEqualTo(before);
    assertThat(table.cfs().getTracker().getCompacting()).isEmpty();
    assertThat(table.tiers().tasks().all()).isEmpty();
    assertThat(table.fastFileBytes()).isEqualTo(used);
    assertThat(table.count()).isEqualTo(10);
  }

  @Test
  void aCompactionThatWasStoppedCanBeRepeated() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.flush(0, 10, "w");
    Set<SSTableReader> live = table.cfs().getLiveSSTables();
    assertThatThrownBy(() -> table.task(live, InProcessTiers.PURGE_NOTHING).execute(STOPS))
        .isInstanceOf(CompactionInterruptedException.class);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
    assertThat(table.keys(Disk.SLOW)).hasSize(8);
    assertThat(table.read(7)).containsExactly("1=w7");
  }

  // ---- the quota

  @Test
  void whatACompactionReplacedGivesItsRoomBack() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    table.flush(0, 10, "w");
    table.alter(TIER, 77);
    assertThat(table.tiers().fast().usedBytes()).isPositive();
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    Awaitility.await().until(() -> table.tiers().fast().usedBytes() == 0);
    assertThat(table.files(Disk.FAST)).isEmpty();
  }

  @Test
  void roomIsComingWhileWhatWasReplacedIsBeingRead() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    Ref<SSTableReader> read = table.sstables(Disk.FAST).get(0).ref();
    try {
      table.compactAll(InProcessTiers.PURGE_NOTHING);
      assertThat(read.get().descriptor.fileFor(SSTableFormat.Components.DATA).exists()).isTrue();
      Awaitility.await()
          .during(Duration.ofSeconds(1)) // longer than a walk over the disk is believed
          .until(() -> table.tiers().fast().isRoomComing());
    } finally {
      read.release();
    }
    Awaitility.await().until(() -> !table.tiers().fast().isRoomComing());
  }
}
