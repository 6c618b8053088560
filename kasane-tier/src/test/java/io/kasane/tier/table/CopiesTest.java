/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows that lie on both disks: what reads leave out, and that nothing is lost with either. */
@InProcess
class CopiesTest {
  private static final Map<String, String> TIER = Map.of("min_threshold", "32");
  private static final Map<String, String> CACHE =
      Map.of("min_threshold", "32", "tier_mode", "cache");

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  /** Rows 0 to 9 on slow, and a copy of 3 on fast. */
  private static Table copied(Map<String, String> options) {
    Table table = InProcessTiers.table(options, 77);
    table.flush(0, 10, "v");
    table.alter(options, 3);
    table.copy();
    Awaitility.await()
        .until(
            () -> {
              table.read(3);
              return table.keys(Disk.FAST).contains(3) && isSkippable(table, 3);
            });
    assertThat(table.keys(Disk.SLOW)).hasSize(10);
    return table;
  }

  private static boolean isSkippable(Table table, int k) {
    DecoratedKey key = table.cfs().decorateKey(ByteBufferUtil.bytes(k));
    return table.sstables(Disk.SLOW).stream()
        .anyMatch(sstable -> table.tiers().skippable().contains(sstable.descriptor, key));
  }

  private static long fastReads(Table table) {
    return table.tiers().readStats().fastReads.sum();
  }

  private static long slowReads(Table table) {
    return table.tiers().readStats().slowReads.sum();
  }

  @Test
  void aReadOfACopiedRowLeavesTheSlowSSTableOut() {
    Table table = copied(TIER);
    long fast = fastReads(table);
    long slow = slowReads(table);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(fastReads(table)).isEqualTo(fast + 1);
    assertThat(slowReads(table)).isEqualTo(slow);
  }

  @Test
  void aRowThatIsNotHotIsNotCopied() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    table.alter(TIER, 3);
    table.copy();
    Awaitility.await()
        .until(
            () -> {
              table.read(4);
              table.read(3);
              return table.keys(Disk.FAST).contains(3);
            });
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
  }

  @Test
  void copiesAreCounted() {
    Table table = copied(TIER);
    Awaitility.await().until(() -> table.tiers().moves().copiedRows.getCount() == 1);
  }

  @Test
  void aReadAfterACopySeesWhatIsNewer() {
    Table table = copied(TIER);
    table.insert(3, 1, "memory");
    assertThat(table.read(3)).containsExactly("1=memory");
    table.insert(3, 2, "flushed");
    flush(table.cfs());
    assertThat(table.read(3)).containsExactly("1=memory", "2=flushed");
  }

  @Test
  void aReadAfterACopySeesADeletionOnSlow() {
    Table table = copied(TIER);
    table.alter(TIER, 77);
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    flush(table.cfs()); // cold by now: to slow
    assertThat(table.keys(Disk.SLOW)).hasSize(11);
    assertThat(table.read(3)).isEmpty();
    assertThat(table.count()).isEqualTo(9);
  }

  @Test
  void aScanOfAllHasACopiedRowOnce() {
    Table table = copied(TIER);
    assertThat(table.count()).isEqualTo(10);
  }

  @Test
  void whenTheSourceIsCompactedNothingIsLost() {
    Table table = copied(TIER);
    table.compact(table.sstables(Disk.SLOW), InProcessTiers.PURGE_NOTHING);
    assertThat(table.count()).isEqualTo(10);
    assertThat(table.read(3)).containsExactly("1=v3");
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_NOTHING);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(table.count()).isEqualTo(10);
  }

  @Test
  void whenTheCopyCoolsTheSourceIsReadAgain() {
    Table table = copied(TIER);
    table.alter(TIER, 77);
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    long slow = slowReads(table);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(slowReads(table)).isEqualTo(slow + 1);
    assertThat(table.count()).isEqualTo(10);
  }

  /** It must not be dropped on trust: slow has nothing of it any more. */
  @Test
  void whenTheCopyCoolsAfterItsSourceIsGoneItIsWrittenToSlow() {
    Table table = copied(TIER);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.SLOW)).doesNotContain(3);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    table.alter(TIER, 77);
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(table.count()).isEqualTo(10);
  }

  @Test
  void copyAndSourceAreMergedIntoOne() {
    Table table = copied(TIER);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).hasSize(9);
    assertThat(table.read(3)).containsExactly("1=v3");
  }

  @Test
  void inModeCacheACompactionLeavesHotRowsOnBothDisks() {
    Table table = copied(CACHE);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).hasSize(10).contains(3);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(table.count()).isEqualTo(10);
  }

  @Test
  void inModeCacheAnUpdateIsReadThoughTheCopyIsOlder() {
    Table table = copied(CACHE);
    table.insert(3, 1, "newer");
    flush(table.cfs());
    assertThat(table.keys(Disk.SLOW)).hasSize(11);
    assertThat(table.read(3)).containsExactly("1=newer");
  }

  /** What a scrub would take from it only the copy has. */
  @Test
  void whenTheCopyCoolsAndItsSourceIsDamagedItIsWrittenToSlow() {
    Table table = copied(TIER);
    SSTableReader source = table.sstables(Disk.SLOW).get(0);
    source.markSuspect();
    table.alter(TIER, 77);
    table.compact(table.sstables(Disk.FAST), InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.keys(Disk.SLOW)).hasSize(11);
    assertThat(table.read(3)).containsExactly("1=v3");
  }

  /** Else its files would take room until the node ends. */
  @Test
  void aFlushThatWasCopiedIsLetGo() {
    Table table = copied(CACHE);
    table.insert(3, 1, "newer");
    flush(table.cfs());
    Awaitility.await().until(() -> table.tiers().moves().copiedRows.getCount() == 2);
    List<SSTableReader> slow = table.sstables(Disk.SLOW);
    table.compactAll(InProcessTiers.PURGE_NOTHING);
    Awaitility.await()
        .until(
            () ->
                slow.stream()
                    .noneMatch(
                        sstable ->
                            sstable.descriptor.fileFor(SSTableFormat.Components.DATA).exists()));
    assertThat(table.read(3)).containsExactly("1=newer");
  }

  /** The order that the quota's bound asks for. */
  @Test
  void withoutRoomNothingIsCopied() {
    Map<String, String> none = Map.of("min_threshold", "32", "fast_quota", "0");
    Table table = InProcessTiers.table(none, 3);
    table.flush(0, 10, "v");
    table.copy();
    for (int i = 0; i < 20; i++) {
      table.read(3);
    }
    table.tiers().stage();
    table.tiers().promote();
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.read(3)).containsExactly("1=v3");
  }
}
