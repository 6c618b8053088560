/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import io.kasane.host.view.Views;
import java.nio.file.Path;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a SELECT from {@code kasane_views} says of engines and their tables. */
@InProcess
class EngineReportsTest {
  @TempDir Path root;
  private InProcessEngines node;
  private EngineReports reports;
  private String table;

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    reports = new EngineReports(node.engines(), node.context().copies());
    Views.register(EngineViews.of(reports));
    table = node.table("k int PRIMARY KEY, v text");
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void insertAndFlush(int k) {
    cql("INSERT INTO " + table + " (k, v) VALUES (?, 'v')", k);
    flush(InProcessCassandra.table(table));
  }

  private UntypedResultSet.Row engine(String name) {
    return cql("SELECT * FROM kasane_views.engines WHERE engine = ?", name).one();
  }

  private UntypedResultSet tables() {
    String[] words = table.split("\\.", 2);
    return cql(
        "SELECT * FROM kasane_views.engine_tables WHERE keyspace_name = ? AND table_name = ?",
        words[0],
        words[1]);
  }

  @Test
  void anEngineThatWorksSaysSo() {
    UntypedResultSet.Row row = engine("memory");
    assertThat(row.getBoolean("is_open")).isTrue();
    assertThat(row.getBoolean("takes_writes")).isTrue();
    assertThat(row.getBoolean("answers_reads")).isTrue();
    assertThat(row.has("out_reason")).isFalse();
    assertThat(row.getString("durability")).isEqualTo("sync");
    assertThat(row.getLong("capacity_bytes")).isEqualTo(1L << 30);
    assertThat(row.getString("directory")).endsWith("memory");
  }

  @Test
  void anEngineThatRefusesWritesSaysWhy() {
    node.memory().failAt(Step.APPLY);
    insertAndFlush(1);
    UntypedResultSet.Row row = engine("memory");
    assertThat(row.getBoolean("takes_writes")).isFalse();
    assertThat(row.getBoolean("answers_reads")).isTrue();
    assertThat(row.getString("out_reason")).contains("no APPLY, by the test");
    assertThat(engine("other").getBoolean("takes_writes")).isTrue();
  }

  @Test
  void sizesAreThoseOfTheLastAnswer() {
    insertAndFlush(1);
    assertThat(engine("memory").has("disk_bytes")).isFalse();
    assertThat(tables().one().has("entry_count")).isFalse();
    reports.ask();
    Awaitility.await().until(() -> tables().one().has("entry_count"));
    assertThat(tables().one().getLong("entry_count")).isPositive();
    assertThat(tables().one().getLong("bytes")).isPositive();
    Awaitility.await().until(() -> engine("memory").has("disk_bytes"));
    assertThat(engine("memory").getLong("disk_bytes")).isPositive();
  }

  @Test
  void aTableThatHasNoRowsYetHasNoEntries() {
    UntypedResultSet.Row row = tables().one();
    assertThat(row.getBoolean("is_own")).isTrue();
    assertThat(row.getBoolean("may_have_rows")).isFalse();
    assertThat(row.getLong("entry_count")).isZero();
    assertThat(row.getInt("waiting_sstables")).isZero();
  }

  @Test
  void sstablesThatWaitAreCounted() {
    node.memory().failAt(Step.APPLY);
    insertAndFlush(1);
    insertAndFlush(2);
    UntypedResultSet.Row row = tables().one();
    assertThat(row.getInt("waiting_sstables")).isEqualTo(2);
    assertThat(row.getLong("waiting_bytes"))
        .isEqualTo(
            InProcessEngines.sstables(table).stream()
                .mapToLong(sstable -> sstable.bytesOnDisk())
                .sum());
    assertThat(row.getLong("failures")).isPositive();
  }

  @Test
  void aTableThatIsAlteredAwayIsShownUntilItIsDrained() {
    insertAndFlush(1);
    cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    UntypedResultSet.Row row = tables().one();
    assertThat(row.getBoolean("is_own")).isFalse();
    assertThat(row.getBoolean("may_have_rows")).isTrue();
  }

  @Test
  void aTableOnTwoEnginesHasARowForEach() {
    insertAndFlush(1);
    cql("ALTER TABLE " + table + " WITH memtable = 'other'");
    insertAndFlush(2);
    assertThat(tables())
        .extracting(row -> row.getString("engine") + " " + row.getBoolean("is_own"))
        .containsExactlyInAnyOrder("memory false", "other true");
  }

  @Test
  void anIndexHasARowOfItsOwn() {
    String index = "i_" + table.split("\\.", 2)[1];
    cql("CREATE INDEX " + index + " ON " + table + " (v)");
    insertAndFlush(1);
    assertThat(tables())
        .extracting(row -> row.getString("index_name"))
        .containsExactlyInAnyOrder("", index);
  }

  @Test
  void aTableOnNoEngineIsNotShown() {
    table = node.table("k int PRIMARY KEY, v text", "memtable = 'default'");
    insertAndFlush(1);
    assertThat(tables()).isEmpty();
  }
}
