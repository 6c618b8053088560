/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.createIndex;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.InheritingClass;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table on an engine: what is in memory, what goes into the engine, and what reads see. */
@InProcess
class EngineMemtableTest {
  @TempDir Path root;
  private InProcessEngines node;
  private String table;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    table = node.table("k int, c int, s text static, v text, PRIMARY KEY (k, c)");
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void flushTable() {
    flush(store());
  }

  private ColumnFamilyStore store() {
    return InProcessCassandra.table(table);
  }

  private void insert(int k, int c, String v) {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (?, ?, ?)", k, c, v);
  }

  private List<String> read(String where) {
    List<String> values = new ArrayList<>();
    for (UntypedResultSet.Row row : cql("SELECT k, c, v FROM " + table + " " + where)) {
      values.add(row.getInt("k") + "/" + row.getInt("c") + "=" + row.getString("v"));
    }
    return values;
  }

  private void insertTenRows() {
    for (int c = 0; c < 10; c++) {
      insert(1, c, "v" + c);
    }
  }

  // ---- flushes

  @Test
  void aFlushMovesRowsIntoTheEngineAndWritesNoSSTable() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    assertThat(node.partitions(table)).isZero();
    flushTable();
    assertThat(node.partitions(table)).isEqualTo(2);
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(read("WHERE k = 1")).containsExactly("1/1=one");
  }

  @Test
  void aFlushIsSyncedBeforeItsMemtableGoes() {
    insert(1, 1, "one");
    long before = node.memory().calls(Step.SYNC);
    flushTable();
    assertThat(node.memory().calls(Step.SYNC)).isGreaterThan(before);
  }

  @Test
  void aFlushOfNothingAsksTheEngineForNothing() {
    long before = node.memory().calls(Step.APPLY);
    flushTable();
    assertThat(node.memory().calls(Step.APPLY)).isEqualTo(before);
    assertThat(node.stored(table, "memory").mayHaveRows()).isFalse();
  }

  @Test
  void aFlushThatTheEngineRefusesWritesAnSSTable() {
    node.memory().failAt(Step.APPLY);
    insert(1, 1, "one");
    flushTable();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(read("WHERE k = 1")).containsExactly("1/1=one");
  }

  @Test
  void aFlushThatIsNotSyncedWritesAnSSTable() {
    node.memory().failAt(Step.SYNC);
    insert(1, 1, "one");
    flushTable();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(read("")).containsExactly("1/1=one");
  }

  @Test
  void anEngineThatFailedIsNotAskedByTheNextFlush() {
    node.memory().failAt(Step.APPLY);
    insert(1, 1, "one");
    flushTable();
    long before = node.memory().calls(Step.APPLY);
    insert(2, 1, "two");
    flushTable();
    assertThat(node.memory().calls(Step.APPLY)).isEqualTo(before);
    assertThat(node.engines().engine("memory").writes().isClosed()).isFalse();
    assertThat(InProcessEngines.sstables(table)).hasSize(2);
  }

  @Test
  void anEngineWithoutRoomForOneTableIsAskedAgain() {
    node.memory().refuseOnce();
    insert(1, 1, "one");
    flushTable();
    assertThat(InProcessEngines.sstables(table)).isNotEmpty();
    assertThat(node.engines().engine("memory").writes().isClosed()).isTrue();
    insert(2, 1, "two");
    flushTable();
    assertThat(node.partitions(table)).isEqualTo(1);
    assertThat(read("")).containsExactlyInAnyOrder("1/1=one", "2/1=two");
  }

  @Test
  void incrementalBackupsGetSSTables() {
    insert(1, 1, "one");
    DatabaseDescriptor.setIncrementalBackupsEnabled(true);
    try {
      flushTable();
    } finally {
      DatabaseDescriptor.setIncrementalBackupsEnabled(false);
    }
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(node.partitions(table)).isZero();
  }

  @Test
  void aTableThatIsAlteredAwayFlushesToSSTables() {
    insert(1, 1, "one");
    flushTable();
    cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    insert(2, 1, "two");
    flushTable();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(node.partitions(table)).isEqualTo(1);
    assertThat(read("")).containsExactlyInAnyOrder("1/1=one", "2/1=two");
  }

  @Test
  void whatIsInMemoryAtAnAlterFlushesToSSTables() {
    insert(1, 1, "one");
    cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    flushTable();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(node.partitions(table)).isZero();
    assertThat(read("")).containsExactly("1/1=one");
  }

  @Test
  void rowsOfTwoEnginesAreReadAsOne() {
    insert(1, 1, "old");
    insert(1, 2, "kept");
    flushTable();
    cql("ALTER TABLE " + table + " WITH memtable = 'other'");
    insert(1, 1, "new");
    flushTable();
    assertThat(node.other().calls(Step.APPLY)).isPositive();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(read("WHERE k = 1")).containsExactly("1/1=new", "1/2=kept");
    assertThat(read("")).containsExactly("1/1=new", "1/2=kept");
  }

  // ---- reads of memory and engine

  @Test
  void aWriteInMemoryIsNewerThanTheEnginesRow() {
    insert(1, 1, "old");
    flushTable();
    insert(1, 1, "new");
    assertThat(read("WHERE k = 1")).containsExactly("1/1=new");
    flushTable();
    assertThat(read("WHERE k = 1")).containsExactly("1/1=new");
  }

  @Test
  void anOlderTimestampThatComesLaterDoesNotWin() {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'new') USING TIMESTAMP 2000");
    flushTable();
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1000");
    flushTable();
    assertThat(read("WHERE k = 1")).containsExactly("1/1=new");
  }

  @Test
  void cellsOfOneRowAreMerged() {
    cql("UPDATE " + table + " SET s = 'static' WHERE k = 1");
    flushTable();
    insert(1, 1, "regular");
    UntypedResultSet.Row row = cql("SELECT s, v FROM " + table + " WHERE k = 1").one();
    assertThat(row.getString("s")).isEqualTo("static");
    assertThat(row.getString("v")).isEqualTo("regular");
  }

  @Test
  void aDeletedRowStaysDeletedWhereverTheDeletionIs() {
    insertTenRows();
    flushTable();
    cql("DELETE FROM " + table + " WHERE k = 1 AND c = 4");
    assertThat(read("WHERE k = 1")).hasSize(9).doesNotContain("1/4=v4");
    flushTable();
    assertThat(read("WHERE k = 1")).hasSize(9).doesNotContain("1/4=v4");
  }

  @Test
  void aRangeTombstoneHidesWhatItCovers() {
    insertTenRows();
    flushTable();
    cql("DELETE FROM " + table + " WHERE k = 1 AND c >= 3 AND c < 6");
    List<String> left =
        List.of("1/0=v0", "1/1=v1", "1/2=v2", "1/6=v6", "1/7=v7", "1/8=v8", "1/9=v9");
    assertThat(read("WHERE k = 1")).isEqualTo(left);
    flushTable();
    assertThat(read("WHERE k = 1")).isEqualTo(left);
    assertThat(read("WHERE k = 1 AND c > 4 AND c < 7")).containsExactly("1/6=v6");
  }

  @Test
  void aPartitionDeletionHidesWhatIsOlder() {
    insertTenRows();
    insert(2, 1, "other");
    flushTable();
    cql("DELETE FROM " + table + " WHERE k = 1");
    flushTable();
    insert(1, 5, "again");
    assertThat(read("")).containsExactlyInAnyOrder("1/5=again", "2/1=other");
  }

  @Test
  void aReadBackwardsEndsAtItsLimit() {
    insertTenRows();
    flushTable();
    insert(1, 8, "eight");
    assertThat(read("WHERE k = 1 ORDER BY c DESC LIMIT 3"))
        .containsExactly("1/9=v9", "1/8=eight", "1/7=v7");
  }

  @Test
  void aRangeScanHasPartitionsOfBothOnceAndInTokenOrder() {
    for (int k = 0; k < 20; k++) {
      insert(k, 1, "v");
      if (k == 9) {
        flushTable();
      }
    }
    insert(3, 1, "w");
    List<Long> tokens = new ArrayList<>();
    for (UntypedResultSet.Row row : cql("SELECT k, token(k) AS t FROM " + table)) {
      tokens.add(row.getLong("t"));
    }
    assertThat(tokens).hasSize(20).isSorted().doesNotHaveDuplicates();
    assertThat(read("")).contains("3/1=w", "9/1=v", "19/1=v");
  }

  @Test
  void aReadFailsWhenTheEngineDoes() {
    insert(1, 1, "one");
    flushTable();
    node.memory().failAt(Step.SNAPSHOT);
    assertThatThrownBy(() -> read("WHERE k = 1")).hasMessageContaining("no SNAPSHOT, by the test");
    node.memory().heal();
    assertThat(read("WHERE k = 1")).containsExactly("1/1=one");
    assertThat(node.stored(table, "memory").failures()).isEqualTo(1);
  }

  // ---- what Cassandra asks

  @Test
  void aTableWithRowsInTheEngineIsNeverClean() {
    Memtable empty = store().getTracker().getView().getCurrentMemtable();
    assertThat(empty.isClean()).isTrue();
    insert(1, 1, "one");
    flushTable();
    Memtable after = store().getTracker().getView().getCurrentMemtable();
    assertThat(after.isClean()).isFalse();
    assertThat(after.operationCount()).isPositive();
  }

  @Test
  void noTombstoneIsPurgedWhileTheEngineMayHaveWhatItDeletes() {
    insert(1, 1, "one");
    flushTable();
    Memtable memtable = store().getTracker().getView().getCurrentMemtable();
    assertThat(memtable.getMinTimestamp()).isEqualTo(Long.MIN_VALUE);
    assertThat(memtable.getMinLocalDeletionTime()).isZero();
    assertThat(memtable.rowIterator(store().decorateKey(ByteBufferUtil.bytes(77)))).isNotNull();
  }

  @Test
  void partitionsOfTheEngineAreCountedAsLastEstimated() {
    insert(1, 1, "one");
    flushTable();
    node.stored(table, "memory").estimated(70);
    insert(2, 1, "two");
    assertThat(store().getTracker().getView().getCurrentMemtable().partitionCount()).isEqualTo(71);
  }

  @Test
  void aStreamReadsWhatIsInTheEngineAndNotWhatIsInMemory() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flushTable();
    insert(3, 1, "three");
    Memtable memtable = store().getTracker().getView().getCurrentMemtable();
    Memtable.FlushablePartitionSet<?> set = memtable.getFlushSet(null, null);
    assertThat(set.partitionCount()).isEqualTo(2);
    assertThat(set)
        .extracting(partition -> partition.partitionKey().getKey().getInt(0))
        .containsExactlyInAnyOrder(1, 2);
  }

  // ---- starts

  @Test
  void aStartFindsTheRowsOfBefore() {
    insertTenRows();
    flushTable();
    node.restart();
    assertThat(read("WHERE k = 1")).hasSize(10);
    assertThat(read("")).hasSize(10);
  }

  @Test
  void aStartFindsRowsOfATableThatWasAlteredAway() {
    insert(1, 1, "one");
    flushTable();
    cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    node.restart();
    assertThat(read("")).containsExactly("1/1=one");
  }

  @Test
  void aStartDoesNotLookForATableThatNoEngineHas() {
    String plain = node.table("k int PRIMARY KEY, v text", "memtable = 'default'");
    cql("INSERT INTO " + plain + " (k, v) VALUES (1, 'one')");
    flush(InProcessCassandra.table(plain));
    node.restart();
    assertThat(node.engines().of(InProcessCassandra.table(plain).metadata.id)).isEmpty();
    assertThat(cql("SELECT v FROM " + plain).one().getString("v")).isEqualTo("one");
  }

  // ---- which engine a table is on

  @Test
  void aTableWithAViewIsOnNoEngine() {
    assertThat(EngineMemtable.engineOf(store().metadata())).isEqualTo("memory");
    cql(
        "CREATE MATERIALIZED VIEW "
            + table
            + "v AS SELECT k, c FROM "
            + table
            + " WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)");
    assertThat(EngineMemtable.engineOf(store().metadata())).isNull();
  }

  @Test
  void anIndexThatIsATableGoesWhereItsBaseGoes() {
    createIndex(table, "v");
    insert(1, 1, "one");
    insert(2, 1, "two");
    flushTable();
    assertThat(node.engines().of(store().metadata.id)).hasSize(2);
    assertThat(read("WHERE v = 'two'")).containsExactly("2/1=two");
  }

  @Test
  void anEnginesNameThatCannotBeOneIsRefused() {
    assertThatThrownBy(
            () -> EngineMemtable.factory(new HashMap<>(Map.of("engine", "No Such/Name"))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("'engine'", "No Such/Name", "lmdb");
  }

  @Test
  void memtablesAreRefusedWithoutTheHook() {
    String hook = System.getProperty("cassandra.storage_hook");
    System.setProperty("cassandra.storage_hook", "another");
    try {
      assertThatThrownBy(MemtableNames::check)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("cassandra.storage_hook is another", hook);
    } finally {
      System.setProperty("cassandra.storage_hook", hook);
    }
    MemtableNames.check();
  }

  /** A table that is altered to it would lose sight of its rows. */
  @Test
  void aNameOfAnotherClassIsRefused() {
    Map<String, InheritingClass> names = DatabaseDescriptor.getMemtableConfigurations();
    names.put("trie", new InheritingClass(null, "TrieMemtable", Map.of()));
    try {
      assertThatThrownBy(MemtableNames::check)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("memtable.configurations.trie", "TrieMemtable");
    } finally {
      names.remove("trie");
    }
    MemtableNames.check();
  }

  @Test
  void namesTellTheirEngines() {
    assertThat(MemtableNames.isInUse()).isTrue();
    assertThat(MemtableNames.engines()).containsExactly("memory", "other");
  }
}
