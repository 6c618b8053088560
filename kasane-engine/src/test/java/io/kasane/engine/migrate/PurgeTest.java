/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kasane.engine.inprocess.MemoryProvider.Step;
import io.kasane.engine.node.InProcessEngines;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tombstones leave an engine. */
@InProcess
class PurgeTest {
  private static final long FAR_FUTURE_MILLIS = 40L * 365 * 86_400_000 + System.currentTimeMillis();
  private static final String COLUMNS = "k int, c int, v text, PRIMARY KEY (k, c)";

  @TempDir Path root;
  private InProcessEngines node;
  private String table;
  private final CommitLogHorizon log = new CommitLogHorizon();

  @BeforeEach
  void begin() {
    node = InProcessEngines.open(root);
    table = node.table(COLUMNS, "memtable = 'memory'", "gc_grace_seconds = 0");
    // All segments of before are gone.
    log.look(FAR_FUTURE_MILLIS, 1, OptionalLong.of(1));
    log.look(FAR_FUTURE_MILLIS, 2, OptionalLong.of(2));
    log.look(FAR_FUTURE_MILLIS, 3, OptionalLong.of(3));
  }

  @AfterEach
  void end() {
    node.close();
  }

  private ColumnFamilyStore store() {
    return InProcessCassandra.table(table);
  }

  /** Two rows, of which one is deleted, in the engine, long enough ago for no grace. */
  private void deleteOne() {
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'gone')");
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 2, 'kept')");
    flush(store());
    long now = System.currentTimeMillis();
    QueryProcessor.executeOnceInternalWithNowAndTimestamp(
        now / 1_000 - 10, now * 1_000, "DELETE FROM " + table + " WHERE k = 1 AND c = 1");
    flush(store());
  }

  private void purge(CommitLogHorizon age) {
    Purge purge = new Purge(node.engines(), age, 0);
    purge.run(store(), node.stored(table, "memory"), () -> false); // its time begins
    purge.run(store(), node.stored(table, "memory"), () -> false);
  }

  private long entries() {
    return node.stored(table, "memory").size().entries();
  }

  @Test
  void aTombstoneWhoseGraceIsOverGoes() {
    deleteOne();
    long before = entries();
    purge(log);
    assertThat(entries()).isLessThan(before);
    assertThat(cql("SELECT v FROM " + table).one().getString("v")).isEqualTo("kept");
  }

  @Test
  void aTombstoneStaysWhileAReplayOfTheLogMayBringItsRow() {
    deleteOne();
    long before = entries();
    purge(new CommitLogHorizon());
    assertThat(entries()).isEqualTo(before);
  }

  @Test
  void aTombstoneStaysWhileItsGraceIsNotOver() {
    cql("ALTER TABLE " + table + " WITH gc_grace_seconds = 864000");
    deleteOne();
    long before = entries();
    purge(log);
    assertThat(entries()).isEqualTo(before);
  }

  @Test
  void aTombstoneStaysWhileAnSSTableHasWhatItDeletes() {
    node.memory().refuseOnce();
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1");
    flush(store());
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    deleteOne();
    long before = entries();
    purge(log);
    assertThat(entries()).isEqualTo(before);
    assertThat(cql("SELECT v FROM " + table).one().getString("v")).isEqualTo("kept");
  }

  @Test
  void aTombstoneStaysWhileMemoryHasWhatItDeletes() {
    deleteOne();
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1");
    long before = entries();
    purge(log);
    assertThat(entries()).isEqualTo(before);
    assertThat(cql("SELECT v FROM " + table)).hasSize(1);
  }

  /** The flush may fail yet: what the tombstone has deleted in the engine is then in an SSTable. */
  @Test
  void aTombstoneStaysWhileWhatItDeletesIsBeingFlushed() throws Exception {
    deleteOne();
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1");
    CountDownLatch merged = new CountDownLatch(1);
    CountDownLatch purged = new CountDownLatch(1);
    node.memory()
        .fault(
            step -> {
              if (step == Step.SYNC) {
                merged.countDown();
                Uninterruptibles.awaitUninterruptibly(purged);
                throw new EngineException(Kind.FULL, "full, by the test");
              }
            });
    CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(store()));
    try {
      assertThat(merged.await(1, TimeUnit.MINUTES)).isTrue();
      long before = entries();
      purge(log);
      assertThat(entries()).isEqualTo(before);
    } finally {
      purged.countDown();
      flush.join();
    }
    assertThat(InProcessEngines.sstables(table)).hasSize(1);
    assertThat(cql("SELECT v FROM " + table)).hasSize(1);
  }

  /** It may have read rows of before the deletion. */
  @Test
  void aTombstoneStaysWhileRowsAreBeingCopied() {
    deleteOne();
    long before = entries();
    node.stored(table, "memory").copy(() -> purge(log));
    assertThat(entries()).isEqualTo(before);
    purge(log);
    assertThat(entries()).isLessThan(before);
  }

  @Test
  void aTombstoneStaysWhileAnotherEngineHasRowsOfTheTable() {
    cql("ALTER TABLE " + table + " WITH memtable = 'other'");
    cql("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'old') USING TIMESTAMP 1");
    flush(store());
    cql("ALTER TABLE " + table + " WITH memtable = 'memory'");
    deleteOne();
    long before = entries();
    purge(log);
    assertThat(entries()).isEqualTo(before);
    assertThat(cql("SELECT v FROM " + table).one().getString("v")).isEqualTo("kept");
  }

  @Test
  void onlyRepairedTombstonesMeansNone() {
    cql(
        "ALTER TABLE "
            + table
            + " WITH compaction = {'class': 'SizeTieredCompactionStrategy',"
            + " 'only_purge_repaired_tombstones': 'true'}");
    deleteOne();
    long before = entries();
    purge(log);
    assertThat(entries()).isEqualTo(before);
  }
}
