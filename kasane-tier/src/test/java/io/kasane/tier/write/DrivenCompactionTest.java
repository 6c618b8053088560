/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.copies.sstables.CompactionPositions;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.FileUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What happens when all rows of a compaction are written, and before it ends. */
@InProcess
class DrivenCompactionTest {
  private static final Map<String, String> TIER = Map.of("min_threshold", "32");
  private static final Map<String, String> CACHE =
      Map.of("min_threshold", "32", "tier_mode", "cache");

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  /** A compaction that has written all rows, and whose end the test brings about. */
  private static final class Driven implements AutoCloseable {
    private final LifecycleTransaction txn;
    private final SplitCompactionWriter writer;

    Driven(Table table, List<SSTableReader> inputs) {
      this.txn = table.cfs().getTracker().tryModify(inputs, OperationType.COMPACTION);
      this.writer =
          new SplitCompactionWriter(
              table.tiers(),
              table.cfs().getDirectories(),
              txn,
              Set.copyOf(inputs),
              false,
              PlacementRun.ColdRows.LEAVE,
              new CompactionPositions(),
              () -> {},
              new ReplacedOverlaps(() -> {}, System::nanoTime));
      for (SSTableReader input : inputs) {
        try (ISSTableScanner scanner = input.getScanner()) {
          while (scanner.hasNext()) {
            writer.append(scanner.next());
          }
        }
      }
    }

    void end() {
      writer.finish();
      writer.publish();
    }

    @Override
    public void close() {
      writer.close();
      writer.forget();
      txn.close();
    }
  }

  private static Path fastDirectory(Table table) {
    return table.tiers().fast().writeDirectory().orElseThrow().toPath();
  }

  /** Rows 0 to 9 on slow, of which 3 is to be copied. */
  private static Table cache() {
    Table table = InProcessTiers.table(CACHE, 77);
    table.flush(0, 10, "v");
    table.alter(CACHE, 3);
    table.copy();
    Awaitility.await().until(() -> table.tiers().copiesRows());
    return table;
  }

  @Test
  void aCompactionOfACacheCopiesWhatIsHot() {
    Table table = cache();
    try (Driven compaction = new Driven(table, table.sstables(Disk.SLOW))) {
      compaction.end();
    }
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.keys(Disk.SLOW)).hasSize(10);
    assertThat(table.read(3)).containsExactly("1=v3");
  }

  /** Slow has all rows. What was copied is thrown away, and must not be left out there. */
  @Test
  void whatFastFailsToFinishOfACacheIsReadFromSlow() throws IOException {
    Table table = cache();
    Path directory = fastDirectory(table);
    try (Driven compaction = new Driven(table, table.sstables(Disk.SLOW))) {
      assertThat(table.tiers().fast().usedBytes()).isPositive();
      FileUtils.deleteRecursive(new File(directory));
      compaction.end();
      assertThat(table.sstables(Disk.FAST)).isEmpty();
      assertThat(table.keys(Disk.SLOW)).hasSize(10);
      assertThat(table.read(3)).containsExactly("1=v3");
      assertThat(table.count()).isEqualTo(10);
    } finally {
      Files.createDirectories(directory);
      Awaitility.await().until(() -> table.tiers().fast().takesWrites());
    }
    Awaitility.await().until(() -> table.tiers().fast().usedBytes() == 0);
  }

  /** Rows that lie nowhere else must not be thrown away with what fast could not complete. */
  @Test
  void whatFastFailsToFinishLeavesAllAsItWas() throws IOException {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    table.alter(TIER, 3, 7);
    Set<SSTableReader> live = table.cfs().getLiveSSTables();
    Path directory = fastDirectory(table);
    try {
      try (Driven compaction = new Driven(table, table.sstables(Disk.SLOW))) {
        FileUtils.deleteRecursive(new File(directory));
        assertThatThrownBy(compaction::end).isInstanceOf(CompactionInterruptedException.class);
      }
      assertThat(table.cfs().getLiveSSTables()).isEqualTo(live);
      assertThat(table.cfs().getTracker().getCompacting()).isEmpty();
      assertThat(table.tiers().copies().fastOnlyBytes()).isZero();
      assertThat(table.count()).isEqualTo(10);
    } finally {
      Files.createDirectories(directory);
      Awaitility.await().until(() -> table.tiers().fast().takesWrites());
    }
    Awaitility.await().until(() -> table.tiers().fast().usedBytes() == 0);
  }

  /** A garbage collection may take a deletion out of the source since the copy has it. */
  @Test
  void aCopyStaysWhoseSourceSomebodyElseBeganToCompact() {
    Table table = InProcessTiers.table(TIER, 77);
    table.flush(0, 10, "v");
    table.alter(TIER, 3);
    table.copy();
    Awaitility.await()
        .until(
            () -> {
              table.read(3);
              return !table.tiers().copies().all().isEmpty();
            });
    table.alter(TIER, 77);
    List<SSTableReader> copies = table.sstables(Disk.FAST);
    try (Driven compaction = new Driven(table, copies);
        LifecycleTransaction other =
            table
                .cfs()
                .getTracker()
                .tryModify(table.sstables(Disk.SLOW), OperationType.GARBAGE_COLLECT)) {
      assertThat(other).isNotNull();
      assertThatThrownBy(compaction::end)
          .isInstanceOf(CompactionInterruptedException.class)
          .hasMessageContaining("may have rows of their own");
    }
    assertThat(table.sstables(Disk.FAST)).isEqualTo(copies);
    assertThat(table.read(3)).containsExactly("1=v3");
    table.compact(copies, InProcessTiers.PURGE_NOTHING);
    assertThat(table.keys(Disk.FAST)).isEmpty();
    assertThat(table.read(3)).containsExactly("1=v3");
  }
}
