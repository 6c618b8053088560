/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.createIndex;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A TRUNCATE takes what engines have, whatever is wrong with them. */
@InProcess
class TruncationsTest {
  private static final Duration MOST = Duration.ofSeconds(5);

  @TempDir Path root;
  private InProcessEngines node;
  private String table;
  private ColumnFamilyStore store;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    table = node.table("k int PRIMARY KEY, v text");
    store = InProcessCassandra.table(table);
    cql("INSERT INTO " + table + " (k, v) VALUES (1, 'one')");
    flush(store);
  }

  @AfterEach
  void end() {
    DatabaseDescriptor.setAutoSnapshot(false);
    node.close();
  }

  private boolean isEmpty() {
    return cql("SELECT * FROM " + table).isEmpty();
  }

  @Test
  void theEngineIsEmptied() {
    store.truncateBlocking();
    assertThat(isEmpty()).isTrue();
    assertThat(node.stored(table, "memory").mayHaveRows()).isFalse();
    assertThat(node.memory().calls(Step.DROP)).isPositive();
  }

  @Test
  void memoryIsEmptied() {
    cql("INSERT INTO " + table + " (k, v) VALUES (2, 'two')");
    store.truncateBlocking();
    assertThat(isEmpty()).isTrue();
  }

  @Test
  void theTableTakesRowsAfterwards() {
    store.truncateBlocking();
    cql("INSERT INTO " + table + " (k, v) VALUES (3, 'three')");
    flush(store);
    assertThat(cql("SELECT k FROM " + table)).hasSize(1);
    assertThat(node.partitions(table)).isEqualTo(1);
  }

  @Test
  void itStaysEmptyAfterAStart() {
    store.truncateBlocking();
    node.restart();
    assertThat(isEmpty()).isTrue();
  }

  /** The engine's rows are another table's then, which goes later. */
  @Test
  void anEngineThatFailsIsPassedOver() {
    StoredTable before = node.stored(table, "memory");
    node.memory().failAt(Step.DROP);
    store.truncateBlocking();
    assertThat(isEmpty()).isTrue();
    assertThat(node.engines().isCurrent(before)).isFalse();
    node.memory().heal();
    assertThat(node.engines().removeDropped(node.engines().engine("memory"), MOST))
        .containsExactly(before.name());
    assertThat(isEmpty()).isTrue();
  }

  /** After a crash the rows would be back. */
  @Test
  void anEngineThatDoesNotSyncTheDropIsPassedOver() {
    StoredTable before = node.stored(table, "memory");
    node.memory().failAt(Step.SYNC);
    store.truncateBlocking();
    assertThat(isEmpty()).isTrue();
    assertThat(node.engines().isCurrent(before)).isFalse();
  }

  @Test
  void whatWasPassedOverStaysUnseenAfterAStart() {
    node.memory().failAt(Step.DROP);
    store.truncateBlocking();
    node.memory().heal();
    cql("INSERT INTO " + table + " (k, v) VALUES (2, 'two')");
    flush(store);
    node.restart();
    assertThat(cql("SELECT k FROM " + table).one().getInt("k")).isEqualTo(2);
    assertThat(cql("SELECT k FROM " + table)).hasSize(1);
  }

  @Test
  void theSnapshotHasTheEnginesRows() {
    DatabaseDescriptor.setAutoSnapshot(true);
    store.truncateBlocking();
    assertThat(isEmpty()).isTrue();
    assertThat(store.listSnapshots().values())
        .singleElement()
        .satisfies(snapshot -> assertThat(snapshot.computeTrueSizeBytes()).isPositive());
  }

  @Test
  void withoutASnapshotOfTheEngineNothingIsTruncated() {
    DatabaseDescriptor.setAutoSnapshot(true);
    node.memory().failAt(Step.WALK);
    assertThatThrownBy(store::truncateBlocking)
        .hasStackTraceContaining("is not truncated")
        .hasStackTraceContaining("allow_auto_snapshot = false");
    node.memory().heal();
    assertThat(cql("SELECT k FROM " + table)).hasSize(1);
  }

  @Test
  void anIndexIsEmptiedWithItsTable() {
    createIndex(table, "v");
    cql("INSERT INTO " + table + " (k, v) VALUES (4, 'four')");
    flush(store);
    store.truncateBlocking();
    assertThat(cql("SELECT k FROM " + table + " WHERE v = 'four'")).isEmpty();
    assertThat(node.engines().of(store.metadata.id)).noneMatch(StoredTable::mayHaveRows);
  }
}
