/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.createIndex;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import io.kasane.tier.sstables.SSTableTemperature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.FileUtils;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where the rows of a memtable go. */
@InProcess
class SplitFlushWriterTest {
  private static final Map<String, String> TIER = Map.of();

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  @Test
  void hotRowsGoToFastAndColdOnesToSlow() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(3, 7);
    assertThat(table.keys(Disk.SLOW)).containsExactlyInAnyOrder(0, 1, 2, 4, 5, 6, 8, 9);
  }

  @Test
  void allRowsAreReadWhereverTheyLie() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    table.flush(0, 10, "v");
    assertThat(table.count()).isEqualTo(10);
    assertThat(table.read(3)).containsExactly("1=v3");
    assertThat(table.read(4)).containsExactly("1=v4");
  }

  @Test
  void rowsAreInTheOrderOfTheirTokens() {
    Table table = InProcessTiers.table(TIER, 10, 20, 30, 40);
    table.flush(0, 100, "v");
    for (Disk disk : Disk.values()) {
      for (SSTableReader sstable : table.sstables(disk)) {
        assertThat(Table.keys(sstable))
            .isSortedAccordingTo((a, b) -> key(table, a).compareTo(key(table, b)));
      }
    }
    assertThat(table.keys(Disk.FAST)).hasSize(4);
  }

  private static DecoratedKey key(Table table, int k) {
    return table.cfs().decorateKey(ByteBufferUtil.bytes(k));
  }

  @Test
  void ofUnknownHeatRowsGoToSlow() {
    Table table = InProcessTiers.table(Map.of("heat_policy", "share"));
    table.flush(0, 10, "v");
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    assertThat(table.keys(Disk.SLOW)).hasSize(10);
  }

  /** Only an SSTable of the flush's own transaction claims the commit log. */
  @Test
  void whereAllRowsAreHotOneGoesToSlowToo() {
    Table table = InProcessTiers.table(TIER, 0, 1, 2, 3);
    table.flush(0, 4, "v");
    assertThat(table.keys(Disk.FAST)).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(table.keys(Disk.SLOW)).hasSize(1);
    assertThat(table.sstables(Disk.SLOW).get(0).getSSTableMetadata().commitLogIntervals.isEmpty())
        .isFalse();
    assertThat(table.sstables(Disk.FAST).get(0).getSSTableMetadata().commitLogIntervals.isEmpty())
        .isTrue();
  }

  @Test
  void whatFindsNoRoomOnFastGoesToSlowApart() {
    Table table = InProcessTiers.table(Map.of("fast_quota", "0"), 3, 7);
    table.flush(0, 10, "v");
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    List<SSTableReader> hot =
        table.sstables(Disk.SLOW).stream()
            .filter(sstable -> SSTableTemperature.isHot(sstable, Tier.SLOW))
            .toList();
    assertThat(hot).hasSize(1);
    assertThat(Table.keys(hot.get(0))).containsExactlyInAnyOrder(3, 7);
    assertThat(table.keys(Disk.SLOW)).hasSize(10);
    assertThat(table.tiers().moves().refusedRows.getCount()).isEqualTo(2);
  }

  @Test
  void aQuotaThatHoldsSomeRowsTakesThese() {
    Table table =
        InProcessTiers.table(Map.of("fast_quota", "300KiB"), IntStream.range(0, 100).toArray());
    for (int k = 0; k < 100; k++) {
      table.insert(k, 1, "x".repeat(10_000));
    }
    flush(table.cfs());
    assertThat(table.keys(Disk.FAST)).isNotEmpty();
    assertThat(table.tiers().moves().refusedRows.getCount()).isPositive();
    assertThat(table.tiers().disks().liveBytes(Tier.FAST)).isLessThanOrEqualTo(300 << 10);
    assertThat(table.count()).isEqualTo(100);
  }

  /** One flush writes an SSTable a shard, of which all count. */
  @Test
  void aQuotaHoldsForAllShardsTogether() {
    Map<String, String> sixteen = Map.of("fast_quota", "16MiB");
    Table table = InProcessTiers.table(sixteen, IntStream.range(0, 200).toArray());
    for (int k = 0; k < 200; k++) {
      table.insert(k, 1, "x".repeat(100_000));
    }
    flush(table.cfs());
    assertThat(table.sstables(Disk.FAST)).hasSizeGreaterThan(2);
    assertThat(table.tiers().moves().refusedRows.getCount()).isPositive();
    assertThat(table.tiers().disks().liveBytes(Tier.FAST)).isLessThanOrEqualTo(16 << 20);
    assertThat(table.count()).isEqualTo(200);
  }

  @Test
  void whatIsWrittenCountsAgainstTheQuota() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    assertThat(table.tiers().fast().usedBytes()).isZero();
    table.flush(0, 10, "v");
    assertThat(table.tiers().fast().usedBytes())
        .isGreaterThanOrEqualTo(table.tiers().disks().liveBytes(Tier.FAST));
  }

  @Test
  void theNewestRowIsReadWhateverDiskIsOlder() {
    Table table = InProcessTiers.table(TIER, 3);
    table.flush(3, 5, "old");
    table.alter(TIER, 4);
    table.flush(3, 5, "new");
    assertThat(table.keys(Disk.FAST)).contains(3, 4);
    assertThat(table.read(3)).containsExactly("1=new3");
    assertThat(table.read(4)).containsExactly("1=new4");
  }

  @Test
  void deletionsOfHotRowsGoToFastWithThem() {
    Table table = InProcessTiers.table(TIER, 3);
    table.flush(0, 5, "v");
    cql("DELETE FROM " + table.name() + " WHERE k = 3");
    cql("DELETE FROM " + table.name() + " WHERE k = 4 AND c = 1");
    flush(table.cfs());
    assertThat(table.keys(Disk.FAST)).containsExactly(3, 3);
    assertThat(table.read(3)).isEmpty();
    assertThat(table.read(4)).isEmpty();
    assertThat(table.count()).isEqualTo(3);
  }

  @Test
  void inModeCacheAFlushWritesToSlowOnly() {
    Table table = InProcessTiers.table(Map.of("tier_mode", "cache"), 3, 7);
    table.flush(0, 10, "v");
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    assertThat(table.sstables(Disk.SLOW)).hasSize(1);
  }

  /** While one is under way, fast may have rows that slow has not. */
  @Test
  void aFlushThatHasEndedWritesToFastNoMore() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    assertThat(table.tiers().copies().fastOnlyBytes()).isZero();
  }

  @Test
  void allOnFastPutsAllRowsOnFast() {
    Table table = InProcessTiers.table(Map.of("placement", "all-on-fast"));
    table.flush(0, 10, "v");
    assertThat(table.keys(Disk.FAST)).hasSize(10);
  }

  @Test
  void allOnFastWithoutRoomWritesOneSSTable() {
    Table table = InProcessTiers.table(Map.of("placement", "all-on-fast", "fast_quota", "0"));
    table.flush(0, 10, "v");
    assertThat(table.sstables(Disk.FAST)).isEmpty();
    assertThat(table.sstables(Disk.SLOW)).hasSize(1);
  }

  @Test
  void anIndexFindsRowsOnBothDisks() {
    Table table = InProcessTiers.table(TIER, 3);
    createIndex(table.name(), "v");
    table.flush(0, 5, "v");
    assertThat(cql("SELECT k FROM " + table.name() + " WHERE v = 'v3'")).hasSize(1);
    assertThat(cql("SELECT k FROM " + table.name() + " WHERE v = 'v4'")).hasSize(1);
  }

  // ---- what fails

  /** Whose files vanish, as those of a disk that is taken away. */
  @Test
  void whatTheFastDiskFailsToWriteGoesToSlow() throws IOException {
    flushWithoutFast(InProcessTiers.table(TIER, 3, 7));
  }

  /** The row under which it fails is the first that was to go there. */
  @Test
  void whatTheFastDiskFailsToWriteOfASmallTableGoesToSlow() throws IOException {
    Map<String, String> little = Map.of("heat_policy", "budget", "fast_quota", "1GiB");
    Table table = InProcessTiers.table(little);
    flushWithoutFast(table);
    table.flush(0, 10, "w");
    assertThat(table.keys(Disk.FAST)).hasSize(10);
  }

  private static void flushWithoutFast(Table table) throws IOException {
    Path directory = table.tiers().fast().writeDirectory().orElseThrow().toPath();
    Files.delete(directory);
    Files.createFile(directory); // nothing can be written below
    try {
      table.flush(0, 10, "v");
      assertThat(table.sstables(Disk.FAST)).isEmpty();
      assertThat(table.keys(Disk.SLOW)).contains(3, 7).hasSize(10);
      assertThat(table.count()).isEqualTo(10);
    } finally {
      Files.delete(directory);
      Files.createDirectory(directory);
      Awaitility.await().until(() -> table.tiers().fast().takesWrites());
    }
  }

  @Test
  void anAbortedFlushLeavesNoFileAndNoReservation() {
    Table table = InProcessTiers.table(TIER, 3, 7);
    for (int k = 0; k < 10; k++) {
      table.insert(k, 1, "v");
    }
    ColumnFamilyStore cfs = table.cfs();
    long used = table.fastFileBytes();
    Memtable memtable = cfs.getTracker().getView().getCurrentMemtable();
    List<Path> before = files(table);
    try (LifecycleTransaction txn = LifecycleTransaction.offline(OperationType.FLUSH)) {
      SplitFlushWriter writer = writer(table, memtable, txn);
      for (Partition partition : partitions(memtable)) {
        try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
          writer.append(rows);
        }
      }
      assertThat(files(table)).hasSizeGreaterThan(before.size());
      assertThat(table.tiers().fast().usedBytes()).isGreaterThan(used);
      assertThat(writer.abort(null)).isNull(); // Cassandra does not close it then
      txn.abort();
    }
    assertThat(files(table)).isEqualTo(before);
    assertThat(table.fastFileBytes()).isEqualTo(used);
    assertThat(table.tiers().copies().fastOnlyBytes()).isZero();
    assertThat(table.cfs().getLiveSSTables()).isEmpty();
    assertThat(table.count()).isEqualTo(10);
  }

  /** It fails when all is written, and is to become durable. */
  @Test
  void whatTheFastDiskFailsToFinishGoesToSlow() throws IOException {
    Table table = InProcessTiers.table(TIER, 3, 7);
    for (int k = 0; k < 10; k++) {
      table.insert(k, 1, "v");
    }
    Memtable memtable = table.cfs().getTracker().getView().getCurrentMemtable();
    Path directory = table.tiers().fast().writeDirectory().orElseThrow().toPath();
    LifecycleTransaction txn = LifecycleTransaction.offline(OperationType.FLUSH);
    SplitFlushWriter writer = writer(table, memtable, txn);
    writer.setOpenResult(true);
    for (Partition partition : partitions(memtable)) {
      try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
        writer.append(rows);
      }
    }
    FileUtils.deleteRecursive(new File(directory));
    try {
      writer.prepareToCommit();
      txn.prepareToCommit();
      assertThat(writer.commit(null)).isNull();
      txn.commit();
      assertThat(writer.finished())
          .flatExtracting(sstable -> Table.keys(sstable))
          .contains(3, 7)
          .containsOnly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
      assertThat(table.sstables(Disk.FAST)).isEmpty();
    } finally {
      writer.finished().forEach(sstable -> sstable.selfRef().release());
      Files.createDirectories(directory);
      Awaitility.await().until(() -> table.tiers().fast().takesWrites());
    }
  }

  private static List<Path> files(Table table) {
    List<Path> all = new ArrayList<>(table.files(Disk.FAST));
    all.addAll(table.files(Disk.SLOW));
    return all;
  }

  private static Iterable<? extends Partition> partitions(Memtable memtable) {
    return memtable.getFlushSet(null, null);
  }

  private static SplitFlushWriter writer(Table table, Memtable memtable, LifecycleTransaction txn) {
    ColumnFamilyStore cfs = table.cfs();
    Memtable.FlushablePartitionSet<?> set = memtable.getFlushSet(null, null);
    SerializationHeader header =
        new SerializationHeader(true, cfs.metadata(), set.columns(), set.encodingStats());
    Descriptor slow = cfs.newSSTableDescriptor(cfs.getDirectories().getDirectoryForNewSSTables());
    return new SplitFlushWriter(
        table.tiers(),
        memtable,
        header,
        slow,
        set.partitionCount(),
        (file, keys, target) -> slowWriter(cfs, file, keys, header, txn),
        txn::untrackNew);
  }

  private static SSTableWriter slowWriter(
      ColumnFamilyStore cfs,
      Descriptor file,
      long keys,
      SerializationHeader header,
      LifecycleTransaction txn) {
    return file.getFormat()
        .getWriterFactory()
        .builder(file)
        .setKeyCount(keys)
        .setTableMetadataRef(cfs.metadata)
        .setMetadataCollector(new MetadataCollector(cfs.metadata().comparator))
        .setSerializationHeader(header)
        .addDefaultComponents(List.of())
        .setSecondaryIndexGroups(List.of())
        .build(txn, cfs);
  }
}
