/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.node.InProcessEngines;
import io.kasane.engine.spi.EngineException;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Refs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSTables that validations and streams write of an engine's rows, and who takes them away. */
@InProcess
class LeftOversTest {
  @TempDir Path root;
  private InProcessEngines node;
  private String table;
  private ColumnFamilyStore store;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    table = node.table("k int PRIMARY KEY, v text");
    store = InProcessCassandra.table(table);
    for (int k = 0; k < 10; k++) {
      cql("INSERT INTO " + table + " (k, v) VALUES (?, 'v')", k);
    }
    flush(store);
  }

  @AfterEach
  void end() {
    node.close();
  }

  private LeftOvers leftOvers() {
    return node.context().leftOvers();
  }

  /** What a stream of all ranges reads. */
  private Refs<SSTableReader> stream() {
    Refs<SSTableReader> streamed = new Refs<>();
    PartitionPosition least = store.getPartitioner().getMinimumToken().minKeyBound();
    store.writeAndAddMemtableRanges(null, () -> List.of(new Range<>(least, least)), streamed);
    return streamed;
  }

  @Test
  void aStreamGetsAnSSTableThatTheTableDoesNotRead() {
    try (Refs<SSTableReader> streamed = stream()) {
      assertThat(streamed).hasSize(1);
      assertThat(streamed.iterator().next().getTotalRows()).isEqualTo(10);
      assertThat(InProcessEngines.sstables(table)).isEmpty();
      assertThat(leftOvers().hasSome(store.metadata.id)).isTrue();
    }
  }

  @Test
  void whatIsReadStillIsNotSwept() {
    try (Refs<SSTableReader> streamed = stream()) {
      leftOvers().sweep();
      assertThat(Path.of(streamed.iterator().next().getFilename())).exists();
      assertThat(leftOvers().hasSome(store.metadata.id)).isTrue();
    }
  }

  @Test
  void whatNobodyReadsIsSwept() {
    Path file;
    try (Refs<SSTableReader> streamed = stream()) {
      file = Path.of(streamed.iterator().next().getFilename());
    }
    Awaitility.await() // until Cassandra has closed it
        .untilAsserted(
            () -> {
              leftOvers().sweep();
              assertThat(file).doesNotExist();
            });
    assertThat(leftOvers().hasSome(store.metadata.id)).isFalse();
    assertThat(cql("SELECT k FROM " + table)).hasSize(10);
  }

  /** Else rows that were deleted since would be back. */
  @Test
  void aStartDeletesThemBeforeTheTableReadsThem() {
    Path file;
    try (Refs<SSTableReader> streamed = stream()) {
      file = Path.of(streamed.iterator().next().getFilename());
    }
    assertThat(file).exists();
    node.restart();
    assertThat(file).doesNotExist();
    assertThat(InProcessEngines.sstables(table)).isEmpty();
    assertThat(leftOvers().hasSome(store.metadata.id)).isFalse();
  }

  @Test
  void anSSTableOfTheTableIsNoLeftOver() {
    node.context()
        .copies()
        .make(store, List.of(node.stored(table, "memory")), node.context().patience());
    try (Refs<SSTableReader> unused = stream()) {
      assertThat(unused).hasSize(1);
    }
    leftOvers().sweep();
    assertThat(Path.of(InProcessEngines.sstables(table).get(0).getFilename())).exists();
  }

  @Test
  void aListThatCannotBeReadIsRefusedWithTheWaysOut() throws IOException {
    Path list = root.resolve("broken");
    Files.writeString(list, "kasane-left-overs 1\nnonsense\ncrc32 00000000\n");
    assertThatThrownBy(() -> LeftOvers.open(list))
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll(list.toString(), "Restore it", "delete it");
  }
}
