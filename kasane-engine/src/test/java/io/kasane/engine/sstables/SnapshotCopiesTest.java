/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.createIndex;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.engine.spi.EngineException;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.index.IndexNotAvailableException;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSTables of what an engine has, for snapshots and indexes. */
@InProcess
class SnapshotCopiesTest {
  private static final int ROWS = 30;

  @TempDir Path root;
  private InProcessEngines node;
  private String table;
  private ColumnFamilyStore store;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    table = node.table("k int, c int, v text, PRIMARY KEY (k, c)");
    store = InProcessCassandra.table(table);
    for (int k = 0; k < ROWS; k++) {
      cql("INSERT INTO " + table + " (k, c, v) VALUES (?, 1, ?)", k, "v" + k);
    }
    flush(store);
  }

  @AfterEach
  void end() {
    node.close();
  }

  private SnapshotCopies copies() {
    return node.context().copies();
  }

  private static List<Integer> keys(SSTableReader sstable) {
    List<Integer> keys = new ArrayList<>();
    try (ISSTableScanner scanner = sstable.getScanner()) {
      while (scanner.hasNext()) {
        try (var partition = scanner.next()) {
          keys.add(partition.partitionKey().getKey().getInt(0));
        }
      }
    }
    return keys;
  }

  private static List<Path> files(ColumnFamilyStore store) throws IOException {
    List<Path> found = new ArrayList<>();
    for (File directory : store.getDirectories().getCFDirectories()) {
      try (Stream<Path> files = Files.list(directory.toPath())) {
        files.filter(Files::isRegularFile).forEach(found::add);
      }
    }
    return found;
  }

  @Test
  void aSnapshotHasAllRowsOfTheEngine() {
    store.snapshot("s");
    assertThat(store.snapshotExists("s")).isTrue();
    SSTableReader copy = InProcessEngines.sstables(table).get(0);
    assertThat(keys(copy)).hasSize(ROWS);
    assertThat(node.partitions(table)).isEqualTo(ROWS);
  }

  @Test
  void aSnapshotHasWhatWasInMemory() {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (99, 1, 'late')");
    store.snapshot("s");
    assertThat(keys(InProcessEngines.sstables(table).get(0))).hasSize(ROWS + 1).contains(99);
  }

  @Test
  void aCopyIsDoneOnceASnapshotLinkedIt() {
    copies().make(store, List.of(node.stored(table, "memory")), node.context().patience());
    SSTableReader copy = InProcessEngines.sstables(table).get(0);
    assertThat(copies().isCopy(copy)).isTrue();
    assertThat(copies().isDone(copy)).isFalse();
    store.snapshotWithoutMemtable("s");
    assertThat(copies().isDone(copy)).isTrue();
  }

  @Test
  void anSSTableThatIsNoCopyIsNeverDone() {
    node.memory().failAt(Step.APPLY);
    cql("INSERT INTO " + table + " (k, c, v) VALUES (99, 1, 'late')");
    flush(store);
    SSTableReader sstable = InProcessEngines.sstables(table).get(0);
    assertThat(copies().isCopy(sstable)).isFalse();
    assertThat(copies().isDone(sstable)).isFalse();
  }

  @Test
  void copiesWhoseFilesAreGoneAreForgotten() throws IOException {
    copies().make(store, List.of(node.stored(table, "memory")), node.context().patience());
    SSTableReader copy = InProcessEngines.sstables(table).get(0);
    copies().forgetGone();
    assertThat(copies().isCopy(copy)).isTrue();
    Files.delete(Path.of(copy.getFilename()));
    copies().forgetGone();
    assertThat(copies().isCopy(copy)).isFalse();
  }

  @Test
  void aCopyThatFailsLeavesNoFile() throws IOException {
    List<Path> before = files(store);
    node.memory()
        .fault(
            step -> {
              if (step == Step.WALK && node.memory().calls(Step.WALK) > ROWS) {
                throw new EngineException(EngineException.Kind.FAILED, "in the middle");
              }
            });
    assertThatThrownBy(() -> store.snapshot("s")).hasStackTraceContaining("in the middle");
    node.memory().heal();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(files(store)).isEqualTo(before);
  }

  @Test
  void aCopyThatIsCancelledLeavesNoFile() throws IOException {
    List<Path> before = files(store);
    int[] asked = {0};
    assertThat(
            new EngineExport(store, written -> EngineExport.add(store, written))
                .write(List.of(node.stored(table, "memory")), () -> ++asked[0] > ROWS + ROWS / 2))
        .isEmpty();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(files(store)).isEqualTo(before);
  }

  /** A truncate that began before must take it, too. */
  @Test
  void aCopyIsAsOldAsCanBe() {
    store.snapshot("s");
    assertThat(InProcessEngines.sstables(table).get(0).maxDataAge).isZero();
  }

  @Test
  void indexesAreBuiltFromACopyThatGoesThen() {
    createIndex(table, "v");
    copies().makeForIndexes(store, node.stored(table, "memory"));
    SSTableReader copy = InProcessEngines.sstables(table).get(0);
    assertThat(copies().isDone(copy)).isTrue();
    Awaitility.await()
        .ignoreException(IndexNotAvailableException.class) // it is being built
        .untilAsserted(
            () ->
                assertThat(cql("SELECT k FROM " + table + " WHERE v = 'v7'").one().getInt("k"))
                    .isEqualTo(7));
  }
}
