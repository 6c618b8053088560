/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Ref;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** When {@code nodetool garbagecollect} may leave deletions out. */
@InProcess
class GarbageCollectCompactionsTest {
  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  /** The scanners of a compaction of Cassandra's, as it asks for them. */
  private static final class Collection extends CompactionTask {
    private final Table table;

    private Collection(Table table, LifecycleTransaction txn) {
      super(table.cfs(), txn, InProcessTiers.PURGE_NOTHING);
      this.table = table;
    }

    static ISSTableScanner begin(Table table, SSTableReader input) {
      try (LifecycleTransaction txn = LifecycleTransaction.offline(OperationType.UNKNOWN)) {
        return new Collection(table, txn).scanner(input);
      }
    }

    private ISSTableScanner scanner(SSTableReader input) {
      return table
          .tiers()
          .copies()
          .garbageCollections()
          .watched(List.of(input), List.of(input.getScanner()))
          .get(0);
    }
  }

  private static Table withTwo() {
    Table table = InProcessTiers.table(Map.of("min_threshold", "32"), 77);
    table.flush(0, 5, "v");
    table.flush(0, 5, "w");
    return table;
  }

  @Test
  void oneAloneMayLeaveDeletionsOut() {
    Table table = withTwo();
    for (SSTableReader input : table.sstables(Disk.SLOW)) {
      try (ISSTableScanner alone = Collection.begin(table, input)) {
        assertThat(table.cfs().getNeverPurgeTombstones()).isFalse();
      }
    }
  }

  /** Each may count on a deletion that the other leaves out. */
  @Test
  void fromTheSecondOnDeletionsStayUntilAllHaveEnded() {
    Table table = withTwo();
    ColumnFamilyStore cfs = table.cfs();
    List<SSTableReader> inputs = table.sstables(Disk.SLOW);
    ISSTableScanner first = Collection.begin(table, inputs.get(0));
    ISSTableScanner second = Collection.begin(table, inputs.get(1));
    assertThat(cfs.getNeverPurgeTombstones()).isTrue();
    first.close();
    assertThat(cfs.getNeverPurgeTombstones()).isTrue();
    second.close();
    assertThat(cfs.getNeverPurgeTombstones()).isFalse();
  }

  /** It has chosen the input of one before it, and may look into that still. */
  @Test
  void deletionsStayWhileAnInputThatWasReplacedIsLookedInto() {
    Table table = withTwo();
    ColumnFamilyStore cfs = table.cfs();
    SSTableReader input = table.sstables(Disk.SLOW).get(0);
    Ref<SSTableReader> chosen = input.ref();
    try {
      Collection.begin(table, input).close();
      table.compactAll(InProcessTiers.PURGE_NOTHING);
      try (ISSTableScanner next = Collection.begin(table, table.sstables(Disk.SLOW).get(0))) {
        assertThat(cfs.getNeverPurgeTombstones()).isTrue();
      }
      assertThat(cfs.getNeverPurgeTombstones()).isFalse();
    } finally {
      chosen.release();
    }
  }

  @Test
  void whatAnOperatorHasAskedForStays() {
    Table table = withTwo();
    ColumnFamilyStore cfs = table.cfs();
    cfs.setNeverPurgeTombstones(true);
    List<SSTableReader> inputs = table.sstables(Disk.SLOW);
    ISSTableScanner first = Collection.begin(table, inputs.get(0));
    Collection.begin(table, inputs.get(1)).close();
    first.close();
    assertThat(cfs.getNeverPurgeTombstones()).isTrue();
  }
}
