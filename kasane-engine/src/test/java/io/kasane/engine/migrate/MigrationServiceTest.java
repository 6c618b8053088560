/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.node.StoredTable;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.index.IndexNotAvailableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSTables go into engines, rows go out of them: step by step, any of which may fail. */
@InProcess
class MigrationServiceTest {
  @TempDir Path root;
  private InProcessEngines node;
  private MigrationService service;
  private String table;
  private ColumnFamilyStore store;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    service = service();
    table = node.table("k int, c int, v text, PRIMARY KEY (k, c)");
    store = InProcessCassandra.table(table);
  }

  @AfterEach
  void end() {
    node.close();
  }

  private MigrationService service() {
    return new MigrationService(
        node.engines(),
        node.context().truncations(),
        node.context().copies(),
        node.context().leftOvers(),
        node.context().switchedOut(),
        Duration.ZERO,
        Duration.ZERO);
  }

  private NodeEngine memory() {
    return node.engines().engine("memory");
  }

  /** One round, as of a service that has not met a failure yet: it would wait some seconds else. */
  private void work() {
    service().work(memory());
  }

  private void insert(int k, int c, String v) {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (?, ?, ?)", k, c, v);
  }

  private List<String> rows() {
    List<String> values = new ArrayList<>();
    for (UntypedResultSet.Row row : cql("SELECT k, c, v FROM " + table)) {
      values.add(row.getInt("k") + "/" + row.getInt("c") + "=" + row.getString("v"));
    }
    return values;
  }

  private void flushIntoSSTable() {
    node.memory().refuseOnce();
    flush(store);
    node.memory().heal();
  }

  private void alterAway() {
    cql("ALTER TABLE " + table + " WITH memtable = 'default'");
  }

  // ---- into the engine

  @Test
  void anSSTableIsMovedIn() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flushIntoSSTable();
    assertThat(node.partitions(table)).isZero();
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(node.partitions(table)).isEqualTo(2);
    assertThat(rows()).containsExactlyInAnyOrder("1/1=one", "2/1=two");
  }

  @Test
  void whatIsMovedInIsSyncedFirst() {
    insert(1, 1, "one");
    flushIntoSSTable();
    node.memory().failAt(Step.SYNC);
    work();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void anSSTableThatTheEngineRefusesStays() {
    insert(1, 1, "one");
    flushIntoSSTable();
    node.memory().failAt(Step.APPLY);
    work();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(store.getTracker().getCompacting()).isEmpty();
    node.memory().heal();
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void aTableThatFailedIsNotTriedAgainAtOnce() {
    insert(1, 1, "one");
    flushIntoSSTable();
    node.memory().failAt(Step.APPLY);
    service.work(memory());
    node.memory().heal();
    service.work(memory());
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    Awaitility.await()
        .untilAsserted(
            () -> {
              service.work(memory());
              assertThat(InProcessEngines.sstables(table)).isEmpty();
            });
  }

  @Test
  void anOlderRowThatIsMovedInDoesNotWin() {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1000");
    flushIntoSSTable();
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'new') USING TIMESTAMP 2000");
    flush(store);
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(rows()).containsExactly("1/1=new");
  }

  @Test
  void aTombstoneThatIsMovedInHidesTheEnginesRows() {
    insert(1, 1, "one");
    insert(1, 2, "two");
    flush(store);
    cql("DELETE FROM " + table + " WHERE k = 1 AND c >= 2");
    flushIntoSSTable();
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void aMoveThatIsAskedToStopLeavesTheSSTable() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flushIntoSSTable();
    stopAt(Set.of(Step.TABLE, Step.APPLY, Step.SNAPSHOT));
    work();
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    node.memory().heal();
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(rows()).hasSize(2);
  }

  /** Asks whatever runs to stop, as an operator does. */
  private void stopAt(Set<Step> steps) {
    node.memory()
        .fault(
            step -> {
              if (steps.contains(step)) {
                CompactionManager.instance
                    .active
                    .getCompactions()
                    .forEach(CompactionInfo.Holder::stop);
              }
            });
  }

  @Test
  void anSSTableThatIsCompactedIsLeftToTheCompaction() {
    insert(1, 1, "one");
    flushIntoSSTable();
    try (var compaction =
        store.getTracker().tryModify(InProcessEngines.sstables(table), OperationType.COMPACTION)) {
      work();
      assertThat(InProcessEngines.sstables(table)).hasSize(1);
      assertThat(node.partitions(table)).isZero();
      compaction.abort();
    }
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
  }

  @Test
  void aCopyForASnapshotIsDroppedAndNotMoved() {
    insert(1, 1, "one");
    flush(store);
    store.snapshot("s");
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    long before = node.memory().calls(Step.APPLY);
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(node.memory().calls(Step.APPLY)).isEqualTo(before);
  }

  // ---- indexes

  @Test
  void anIndexIsBuiltFromTheEnginesRows() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flush(store);
    cql("CREATE INDEX ON " + table + " (v)");
    Awaitility.await()
        .ignoreException(IndexNotAvailableException.class)
        .untilAsserted(
            () -> {
              work();
              assertThat(cql("SELECT k FROM " + table + " WHERE v = 'two'")).hasSize(1);
            });
    assertThat(node.engines().ledger().wantsIndexBuild(store.metadata.id.asUUID())).isFalse();
  }

  @Test
  void anIndexThatIsDroppedLeavesTheEngine() {
    String[] words = table.split("\\.", 2);
    cql("CREATE INDEX i_" + words[1] + " ON " + table + " (v)");
    insert(1, 1, "one");
    flush(store);
    StoredTable index =
        node.engines().of(store.metadata.id).stream()
            .filter(StoredTable::isOfIndex)
            .findFirst()
            .orElseThrow();
    assertThat(index.mayHaveRows()).isTrue();
    cql("DROP INDEX " + words[0] + ".i_" + words[1]);
    work();
    assertThat(index.mayHaveRows()).isFalse();
    assertThat(rows()).containsExactly("1/1=one");
  }

  // ---- out of the engine

  @Test
  void aTableThatIsAlteredAwayIsDrained() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flush(store);
    alterAway();
    work();
    assertThat(InProcessEngines.sstables(table)).isNotEmpty();
    assertThat(node.engines().isMarked(node.stored(table, "memory"))).isFalse();
    assertThat(node.stored(table, "memory").mayHaveRows()).isFalse();
    assertThat(rows()).containsExactlyInAnyOrder("1/1=one", "2/1=two");
  }

  @Test
  void whatIsDrainedIsThereAfterAStart() {
    insert(1, 1, "one");
    flush(store);
    alterAway();
    work();
    node.restart();
    assertThat(rows()).containsExactly("1/1=one");
    assertThat(node.engines().of(store.metadata.id)).isEmpty();
  }

  @Test
  void deletionsAreDrainedWithTheRows() {
    insert(1, 1, "one");
    insert(1, 2, "two");
    flush(store);
    cql("DELETE FROM " + table + " WHERE k = 1 AND c = 2");
    flush(store);
    alterAway();
    work();
    assertThat(node.stored(table, "memory").mayHaveRows()).isFalse();
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void aDrainWhoseReadingFailsTakesNothing() {
    insert(1, 1, "one");
    flush(store);
    alterAway();
    node.memory().failAt(Step.WALK);
    work();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    node.memory().heal();
    assertThat(node.partitions(table)).isEqualTo(1);
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void aDrainThatIsAskedToStopTakesNothing() {
    insert(1, 1, "one");
    insert(2, 1, "two");
    flush(store);
    alterAway();
    stopAt(Set.of(Step.WALK));
    work();
    node.memory().heal();
    assertThat(node.partitions(table)).isEqualTo(2);
    assertThat(rows()).containsExactlyInAnyOrder("1/1=one", "2/1=two");
    work();
    assertThat(node.stored(table, "memory").mayHaveRows()).isFalse();
    assertThat(rows()).containsExactlyInAnyOrder("1/1=one", "2/1=two");
  }

  @Test
  void aDrainWhoseDropFailsBeginsAgain() {
    insert(1, 1, "one");
    flush(store);
    alterAway();
    node.memory().failAt(Step.DROP);
    work();
    assertThat(InProcessEngines.sstables(table)).isNotEmpty();
    assertThat(node.engines().isMarked(node.stored(table, "memory"))).isTrue();
    assertThat(rows()).containsExactly("1/1=one");
    node.memory().heal();
    work();
    assertThat(node.engines().isMarked(node.stored(table, "memory"))).isFalse();
    assertThat(rows()).containsExactly("1/1=one");
  }

  @Test
  void aTableThatIsAlteredBackIsNotDrained() {
    insert(1, 1, "one");
    flush(store);
    alterAway();
    cql("ALTER TABLE " + table + " WITH memtable = 'memory'");
    work();
    assertThat(node.partitions(table)).isEqualTo(1);
    assertThat(InProcessEngines.sstables(table)).isEmpty();
  }

  // ---- dropped tables

  @Test
  void aTableThatIsDroppedLeavesTheEngine() {
    insert(1, 1, "one");
    flush(store);
    StoredTable stored = node.stored(table, "memory");
    new DroppedTables(node.engines(), 0).onDropTable(store.metadata(), true);
    assertThat(memory().open().tables()).contains(stored.name());
    work();
    assertThat(memory().open().tables()).doesNotContain(stored.name());
  }

  /** The schema may be about to be read. */
  @Test
  void aTableThatTheSchemaDoesNotKnowStaysForAWhile() {
    insert(1, 1, "one");
    flush(store);
    StoredTable stored = node.stored(table, "memory");
    cql("DROP TABLE " + table);
    node.forget(table);
    node.table("k int PRIMARY KEY");
    new DroppedTables(node.engines(), Duration.ofHours(1).toNanos()).run(memory());
    assertThat(memory().open().tables()).contains(stored.name());
    assertThat(node.engines().ledger().dropped()).isEmpty();
  }

  @Test
  void aDropThatFailsIsRememberedOverAStart() {
    insert(1, 1, "one");
    flush(store);
    StoredTable stored = node.stored(table, "memory");
    cql("DROP TABLE " + table);
    node.forget(table);
    node.table("k int PRIMARY KEY");
    new DroppedTables(node.engines(), 0).onDropTable(store.metadata(), true);
    node.memory().failAt(Step.DROP);
    work();
    node.memory().heal();
    assertThat(memory().open().tables()).contains(stored.name());
    node.restart();
    work();
    assertThat(memory().open().tables()).doesNotContain(stored.name());
    assertThat(node.engines().ledger().dropped()).isEmpty();
  }

  @Test
  void aTableOfTheSameIdDoesNotSeeWhatWasDropped() {
    insert(1, 1, "one");
    flush(store);
    node.memory().failAt(Step.DROP);
    cql("DROP TABLE " + table);
    new DroppedTables(node.engines(), 0).onDropTable(store.metadata(), true);
    cql(
        "CREATE TABLE "
            + table
            + " (k int, c int, v text, PRIMARY KEY (k, c)) WITH id = "
            + store.metadata.id
            + " AND memtable = 'memory'");
    assertThat(rows()).isEmpty();
    node.memory().heal();
    insert(2, 1, "two");
    flush(InProcessCassandra.table(table));
    work();
    assertThat(rows()).containsExactly("2/1=two");
  }
}
