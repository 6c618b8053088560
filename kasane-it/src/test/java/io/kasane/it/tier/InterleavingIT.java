/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What may happen at the same time, made to happen in just the order that would hurt. Long because
 * all scenarios share a node under a debugger.
 */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterleavingIT {
  private static final int ROWS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path dir;

  private LocalCluster cluster;
  private LocalNode node;
  private CqlSession session;
  private Debugger debugger;

  /** Reads, copies and compacts once, so that the classes are loaded that threads are held in. */
  @BeforeAll
  void start() throws Exception {
    cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .heap("600m")
                    .yaml("concurrent_compactors", 2)
                    .yaml("materialized_views_enabled", true)
                    .yaml("read_request_timeout", "120s")
                    .yaml("truncate_request_timeout", "120s"));
    node = Debugger.admittedBy(cluster.node(1));
    node.start().waitUntilReady();
    session = node.connect();
    debugger = Debugger.of(node);
    Tiered.createKeyspace(session, 1);
    TieredRows first = loaded("first");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(first));
    Tiered.compact(node, first.table());
    session.execute("DROP TABLE " + first.qualified());
  }

  @AfterAll
  void stop() {
    if (debugger != null) {
      debugger.close();
    }
    if (session != null) {
      session.close();
    }
    node.stop();
    cluster.close();
  }

  /** What is still to be copied of them would reach a place that the next test waits at. */
  @AfterEach
  void dropTables() throws IOException {
    session
        .execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'k'")
        .forEach(table -> session.execute("DROP TABLE k." + table.getString(0)));
    assertThat(node.log().errors()).isEmpty();
  }

  /** Read once each, so that most of their keys are looked up in the indexes of SSTables. */
  @Test
  void shouldKeepOpenWhatAViewLooksInto() throws Exception {
    TieredRows rows = loaded("viewed");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
    rows.read(10, 40);
    TableFiles before = rows.files().settled();
    Debugger.Stop looking =
        debugger.stopAt(
            "org.apache.cassandra.io.sstable.format.big.BigTableReader", "firstKeyBeyond");
    CompletionStage<AsyncResultSet> view =
        session.executeAsync(
            SimpleStatement.newInstance("SELECT * FROM kasane_views.hottest_keys")
                .setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await().atMost(PATIENCE).until(looking::isReached);

    // The view has an SSTable in its hand; when it is replaced, it is freed or waited for.
    Tiered.compact(node, rows.table());
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                Stream.concat(before.slow().stream(), before.fast().stream())
                        .noneMatch(Files::exists)
                    || debugger.isAnyThreadIn(
                        "org.apache.cassandra.io.sstable.format.SSTableReader$InstanceTidier$1",
                        "run",
                        "await"));

    looking.release();
    assertThat(view.toCompletableFuture().join().currentPage()).isNotEmpty();
    rows.requireAll("a compaction under a view");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
  }

  @Test
  void shouldKeepCompactionsFromWhatIsBeingCopied() throws Exception {
    TieredRows rows = loaded("marked");
    session.execute("ALTER TABLE k.marked WITH gc_grace_seconds = 0");
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows);

    // The row is in memory, to be written. Without the mark, this would drop it on disk, together
    // with its deletion.
    Path slow = rows.files().slow().iterator().next();
    rows.delete(0);
    Tiered.flush(node, "marked");
    Tiered.awaitSecondsToPass();
    Set<Path> all = new HashSet<>(rows.files().fast());
    all.addAll(rows.files().slow());
    CompletableFuture<String> compaction = CompletableFuture.supplyAsync(() -> compact(all));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                compaction.isDone()
                    || debugger.isAnyThreadIn(
                        "io.kasane.tier.table.AwaitingTask",
                        "executeInternal",
                        "sleepUninterruptibly"));

    writing.release();
    awaitCopied(rows);
    compaction.join();
    rows.read(0, 1);
    assertThat(rows.files().settled().slow()).as("compacted as asked").doesNotContain(slow);
    rows.requireAll("a compaction while a row was copied");
    Tiered.compact(node, "marked");
    rows.requireAll("a compaction of all");
  }

  @Test
  void shouldLeaveNothingOutOfReadsThatBeganBefore() throws Exception {
    TieredRows rows = loaded("awaited");
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows);
    Debugger.Stop reading = debugger.stopAt("io.kasane.tier.table.AccessObserver", "isSkippable");
    CompletionStage<AsyncResultSet> read =
        session.executeAsync(
            SimpleStatement.newInstance("SELECT * FROM " + rows.qualified() + " WHERE id = 0")
                .setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await().atMost(PATIENCE).until(reading::isReached);

    // The read has its view of the table, and the copy is not in it.
    writing.release();
    awaitCopied(rows);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                debugger.isAnyThreadIn(
                        "io.kasane.copies.promote.Promoter", "write", "awaitNewBarrier")
                    || readsOnlyFast(rows));

    reading.release();
    AsyncResultSet result = read.toCompletableFuture().join();
    assertThat(result.currentPage()).as("rows of a read that began before the copy").hasSize(1);
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
  }

  @Test
  void shouldStageRowsWhileOthersAreWritten() throws Exception {
    TieredRows rows = loaded("staged");
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows);

    // The only slow SSTable is marked as compacting now, to write the first row.
    Debugger.Stop staging = debugger.stopAt("io.kasane.copies.promote.StagedRows", "put");
    readUntil(staging, rows, 1);
    staging.release();
    writing.release();
    Awaitility.await().atMost(PATIENCE).until(() -> copiedRows(rows) == 2); // not read again
    assertThat(readsOnlyFast(rows, 1)).isTrue();
    rows.requireAll("a row was staged while another was written");
  }

  @Test
  void shouldCopyOnceWhatAFlushAndAReadWant() throws Exception {
    TieredRows rows = loaded("flushed", "tier_mode", "cache");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
    final long before = copiedRows(rows);
    Debugger.Stop copying = debugger.stopAt("io.kasane.copies.promote.Promoter", "copyFlushed");
    rows.write(0, 1);
    Tiered.flush(node, rows.table());
    Awaitility.await().atMost(PATIENCE).until(copying::isReached);
    Debugger.Stop staging = debugger.stopAt("io.kasane.copies.promote.StagedRows", "put");
    readUntil(staging, rows);
    staging.release();
    copying.release();

    // A row that is staged later is written with what was staged before, or after it.
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows, 1));
    assertThat(readsOnlyFast(rows)).isTrue();
    assertThat(copiedRows(rows)).isEqualTo(before + 2);
  }

  @Test
  void shouldCopyNothingThatIsBeingTruncated() throws Exception {
    TieredRows rows = loaded("truncated");
    Debugger.Stop copying = debugger.stopAt("io.kasane.copies.promote.PinnedSources", "hold");
    readUntil(copying, rows);
    Debugger.Stop truncating =
        debugger.stopAt("org.apache.cassandra.db.ColumnFamilyStore", "discardSSTables");
    CompletionStage<AsyncResultSet> truncation =
        session.executeAsync(
            SimpleStatement.newInstance("TRUNCATE " + rows.qualified())
                .setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await().atMost(PATIENCE).until(truncating::isReached);

    // What is marked as compacting from now on would survive.
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    copying.release();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                writing.isReached()
                    || debugger.isAnyThreadIn(
                        "io.kasane.copies.promote.PinnedSources", "hold", "hold"));
    truncating.release();
    truncation.toCompletableFuture().join();
    writing.release();
    requireEmpty(rows, truncation);
  }

  /** The merge drops a deletion with what it deletes; what it deletes was read to be copied. */
  @Test
  void shouldCopyAllOrNothingOfWhatIsBeingCompacted() throws Exception {
    TieredRows rows = loaded("shared", "tier_mode", "cache");
    session.execute("ALTER TABLE k.shared WITH gc_grace_seconds = 0");
    Debugger.Stop taking = debugger.stopAt("io.kasane.copies.promote.Promoter", "copy");
    Awaitility.await().atMost(PATIENCE).until(taking::isReached);
    Debugger.Stop staging = debugger.stopAt("io.kasane.copies.promote.StagedRows", "put");
    readUntil(staging, rows);
    staging.release();
    rows.delete(0);
    Tiered.flush(node, rows.table());
    Tiered.awaitSecondsToPass();
    HeldMerge merge = holdMerge(rows.files().settled().slow());

    // Another row is read from what is merged, all of it, and written together with that one.
    Debugger.Stop whole = debugger.stopAt("io.kasane.copies.promote.StagedRows", "putAllOf");
    readUntil(whole, rows, 1);
    whole.release();
    taking.release();
    awaitCopied(rows);
    assertThat(copiedRows(rows)).isOne();
    merge.stop().release();
    merge.output().join();
    rows.requireAll("a merge of what was to be copied");
    Tiered.compact(node, rows.table());
    rows.requireAll("a compaction of all");
  }

  @Test
  void shouldCopyWhatIsBeingCompacted() throws Exception {
    TieredRows rows = loaded("long");
    rows.write(50, ROWS);
    Tiered.flush(node, rows.table());
    assertThat(rows.files().settled().slow()).hasSize(2);
    HeldMerge merge = holdMerge(rows.files().settled().slow());
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows, 0));
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows, 99));
    assertThat(merge.output()).isNotDone();

    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows, 60);
    merge.stop().release();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                debugger.isAnyThreadIn(
                    "io.kasane.copies.sstables.SharedInputs", "close", "acquireUninterruptibly"));
    assertThat(merge.output()).as("a merge whose input is being copied").isNotDone();
    writing.release();
    merge.output().join();
    assertThat(rows.files().settled().slow()).hasSize(1);
    rows.requireAll("copies from inputs of a merge");
    assertThat(readsOnlyFast(rows, 0)).as("what was copied before the merge came to it").isTrue();
    Tiered.compact(node, rows.table());
    rows.requireAll("a compaction of all");
  }

  @Test
  void shouldTruncateWhatIsBeingCopiedFromAMerge() throws Exception {
    TieredRows rows = loaded("emptied");
    HeldMerge merge = holdMerge(rows.files().settled().slow());
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows);
    CompletionStage<AsyncResultSet> truncation = truncateUntilItWaits(rows);

    // The merge is stopped, and its inputs stay marked for the copy.
    merge.stop().release();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                truncation.toCompletableFuture().isDone()
                    || debugger.isAnyThreadIn(
                        "io.kasane.copies.sstables.SharedInputs",
                        "close",
                        "acquireUninterruptibly"));
    assertThat(truncation).as("a truncation before the copy has ended").isNotDone();
    writing.release();
    requireEmpty(rows, truncation);
    merge.output().handle((out, failure) -> out).join();
  }

  /** A copy that holds a merge and waits for who stops merges would make both wait a minute. */
  @Test
  void shouldTruncateWhatIsAboutToBeCopiedFromAMerge() throws Exception {
    TieredRows rows = loaded("stopping");
    HeldMerge merge = holdMerge(rows.files().settled().slow());
    Debugger.Stop copying = debugger.stopAt("io.kasane.copies.promote.PinnedSources", "hold");
    readUntil(copying, rows);
    CompletionStage<AsyncResultSet> truncation = truncateUntilItWaits(rows);
    copying.release();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> debugger.isAnyThreadIn("io.kasane.copies.promote.PinnedSources", "hold", "hold"));
    merge.stop().release();
    requireEmpty(rows, truncation);
    merge.output().handle((out, failure) -> out).join();
  }

  /** A merge that is held before its first row. */
  private record HeldMerge(Debugger.Stop stop, CompletableFuture<String> output) {}

  private HeldMerge holdMerge(Set<Path> files) {
    Debugger.Stop stop =
        debugger.stopAt("io.kasane.tier.write.SplitCompactionWriter", "realAppend");
    CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> compact(files));
    Awaitility.await().atMost(PATIENCE).until(stop::isReached);
    return new HeldMerge(stop, output);
  }

  private CompletionStage<AsyncResultSet> truncateUntilItWaits(TieredRows rows) {
    CompletionStage<AsyncResultSet> truncation =
        session.executeAsync(
            SimpleStatement.newInstance("TRUNCATE " + rows.qualified())
                .setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                debugger.isAnyThreadIn(
                    "org.apache.cassandra.db.ColumnFamilyStore",
                    "runWithCompactionsDisabled",
                    "waitForCessation"));
    return truncation;
  }

  private void requireEmpty(TieredRows rows, CompletionStage<AsyncResultSet> truncation) {
    truncation.toCompletableFuture().join();
    assertThat(session.execute("SELECT id FROM " + rows.qualified()).all()).isEmpty();
    assertThat(rows.files().settled().slow()).isEmpty();
    assertThat(rows.files().fast()).isEmpty();
  }

  @Test
  void shouldCompleteSlowAfterACompactionThatBeganBefore() throws Exception {
    TieredRows rows = loaded("altered");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
    Debugger.Stop compacting =
        debugger.stopAt("io.kasane.tier.write.SplitCompactionWriter", "realAppend");
    CompletableFuture<Void> compaction =
        CompletableFuture.runAsync(() -> Tiered.compact(node, rows.table()));
    Awaitility.await().atMost(PATIENCE).until(compacting::isReached);
    session.execute(
        "ALTER TABLE k.altered WITH compaction = " + Tiered.byHeat("tier_mode", "cache"));
    assertThat(Tiered.viewed(session, rows.table(), "fast_only_bytes"))
        .as("bytes that will lie on fast only")
        .isPositive();

    compacting.release();
    compaction.join();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> Tiered.viewed(session, rows.table(), "fast_only_bytes") == 0);
    assertThat(new TreeSet<>(rows.files().settled().keys().slow()))
        .isEqualTo(new TreeSet<>(TieredRows.ids(0, ROWS)));
    rows.requireAll("a change of the mode during a compaction");
  }

  @Test
  void shouldMergeOnWhenAReadLetsGoOfTheRoom() throws Exception {
    String fastFirst = "'placement': 'fast-first', 'fast_quota': '3600KiB', 'enabled': ";
    String strategy = "{'class': 'io.kasane.tier.HeatTieredCompactionStrategy', " + fastFirst;
    session.execute(
        "CREATE TABLE k.crowded (id int PRIMARY KEY, payload blob) WITH compaction = "
            + strategy
            + "'false'}");
    // Four shards of half a megabyte each, then two of five rows anew: one shard can be merged
    // beside what there is, but not a second one beside the files of the first.
    writeIncompressible(200);
    writeIncompressible(80);
    assertThat(fastSSTables()).isEqualTo(8);

    Debugger.Stop reading = debugger.stopAt("io.kasane.tier.table.AccessObserver", "onSSTableRead");
    CompletionStage<AsyncResultSet> read =
        session.executeAsync(
            SimpleStatement.newInstance("SELECT * FROM k.crowded WHERE id = 0")
                .setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await().atMost(PATIENCE).until(reading::isReached);
    Debugger.Stop waiting =
        debugger.stopAt("io.kasane.tier.quota.FastCapacity", "compactWhenItComes");
    session.execute("ALTER TABLE k.crowded WITH compaction = " + strategy + "'true'}");
    nodetool(node, "enableautocompaction", "k", "crowded");
    Awaitility.await().atMost(PATIENCE).until(waiting::isReached);
    waiting.release();
    Awaitility.await().atMost(PATIENCE).until(this::compactionRests);
    assertThat(fastSSTables()).isEqualTo(7);

    reading.release();
    assertThat(read.toCompletableFuture().join().currentPage()).hasSize(1);
    Awaitility.await().atMost(PATIENCE).until(() -> fastSSTables() < 7);
  }

  /** A merge on slow that takes minutes must not keep the room of what fast merges in seconds. */
  @Test
  void shouldLetGoOfWhatWasReplacedMeanwhile() throws Exception {
    TieredRows rows = loaded("held");
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
    TableFiles files = rows.files().settled();
    Set<Path> fast = files.fast();
    HeldMerge merge = holdMerge(files.slow());
    Debugger.Stop first = merge.stop();
    compact(fast);

    for (int row = 1; row < ROWS && fast.stream().anyMatch(Files::exists); row++) {
      Debugger.Stop next =
          debugger.stopAt("io.kasane.tier.write.SplitCompactionWriter", "realAppend");
      first.release();
      Awaitility.await().atMost(PATIENCE).until(next::isReached);
      first = next;
    }
    assertThat(merge.output()).isNotDone();
    Awaitility.await().atMost(PATIENCE).until(() -> fast.stream().noneMatch(Files::exists));
    first.release();
    merge.output().join();
    rows.requireAll("a merge on fast during one on slow");
  }

  private String compact(Set<Path> files) {
    List<String> command = new ArrayList<>(List.of("compact", "--user-defined"));
    files.forEach(file -> command.add(file.toString()));
    return nodetool(node, command.toArray(String[]::new));
  }

  @Test
  void shouldStopACopyLikeAnyCompaction() throws Exception {
    TieredRows rows = loaded("stopped");
    Debugger.Stop writing = debugger.stopAt("io.kasane.copies.promote.CopyTask", "write");
    readUntil(writing, rows);
    assertThat(nodetool(node, "compactionstats")).contains("stopped");
    nodetool(node, "stop", "COMPACTION");
    Debugger.Stop resting = debugger.stopAt("io.kasane.copies.promote.Promoter", "rest");
    writing.release();
    Awaitility.await().atMost(PATIENCE).until(resting::isReached);
    assertThat(copiedRows(rows)).isZero();
    resting.release();
    Awaitility.await().atMost(PATIENCE).until(() -> readsOnlyFast(rows));
  }

  /** The row on fast and its twin on slow have the same deletion: one of the two must stay. */
  @Test
  @Tag("long")
  void shouldKeepADeletionThatTwoCollectAtATime() throws Exception {
    session.execute(
        "CREATE TABLE k.jobs (id int, c int, v text, PRIMARY KEY (id, c)) WITH compaction = "
            + Tiered.byHeat());
    Tiered.awaitSchema(node);
    session.execute("INSERT INTO k.jobs (id, c, v) VALUES (0, 1, 'there')");
    session.execute("DELETE FROM k.jobs USING TIMESTAMP 2000 WHERE id = 0 AND c = 0");
    Tiered.flush(node, "jobs");
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              session.execute("SELECT * FROM k.jobs WHERE id = 0");
              return Tiered.viewed(session, "jobs", "copied_rows") == 1;
            });

    // One has chosen the other's input to look into, and has not looked yet.
    Debugger.Stop collecting =
        debugger.stopAt("org.apache.cassandra.db.compaction.CompactionController", "shadowSources");
    CompletableFuture<String> collection =
        CompletableFuture.supplyAsync(
            () -> nodetool(node, "garbagecollect", "-j", "2", Tiered.KEYSPACE, "jobs"));
    Awaitility.await().atMost(PATIENCE).until(collecting::isReached);
    Awaitility.await().atMost(PATIENCE).until(() -> compactionsOf("jobs") == 1);
    collecting.release();
    collection.join();
    assertThat(compactionsOf("jobs")).isEqualTo(2);

    session.execute("INSERT INTO k.jobs (id, c, v) VALUES (0, 0, 'deleted') USING TIMESTAMP 1000");
    assertThat(session.execute("SELECT c FROM k.jobs WHERE id = 0").all())
        .as("rows of a partition whose other row was deleted")
        .hasSize(1);
  }

  private long compactionsOf(String table) {
    return session.execute("SELECT columnfamily_name FROM system.compaction_history").all().stream()
        .filter(row -> table.equals(row.getString(0)))
        .count();
  }

  @Test
  void shouldKeepNothingOfATableThatIsBeingDropped() throws Exception {
    loaded("dropped");
    session.execute(
        "CREATE MATERIALIZED VIEW k.by_version AS SELECT id, version FROM k.dropped WHERE id IS"
            + " NOT NULL AND version IS NOT NULL PRIMARY KEY (version, id) WITH compaction = "
            + Tiered.byHeat());
    Tiered.awaitSchema(node);
    dropWhileItIsMaintained("MATERIALIZED VIEW k.by_version");
    dropWhileItIsMaintained("TABLE k.dropped");
  }

  private void dropWhileItIsMaintained(String what) throws Exception {
    String files = what.substring(what.indexOf("k.")) + "-";
    Awaitility.await().atMost(PATIENCE).until(() -> !heatFiles(files).isEmpty());
    Debugger.Stop dropping =
        debugger.stopAt(
            "org.apache.cassandra.schema.SchemaChangeNotifier", "notifyKeyspaceAltered");
    CompletionStage<AsyncResultSet> drop =
        session.executeAsync(
            SimpleStatement.newInstance("DROP " + what).setTimeout(PATIENCE.multipliedBy(2)));
    Awaitility.await().atMost(PATIENCE).until(dropping::isReached);

    // The table is not valid any more, and nobody has been told that it is gone.
    int tables = session.execute("SELECT table_name FROM kasane_views.tables").all().size();
    for (int visit = 0; visit <= tables; visit++) {
      Debugger.Stop maintaining = debugger.stopAt("io.kasane.tier.TierRegistry", "maintain");
      Awaitility.await().atMost(PATIENCE).until(maintaining::isReached);
      maintaining.release();
    }
    dropping.release();
    drop.toCompletableFuture().join();
    Awaitility.await().atMost(PATIENCE).until(() -> heatFiles(files).isEmpty());
  }

  private List<Path> heatFiles(String start) {
    return FilesBelow.of(node.settings().dir().resolve("saved_caches")).stream()
        .filter(file -> file.getFileName().toString().startsWith(start))
        .toList();
  }

  private void writeIncompressible(int rows) {
    Random random = new Random(rows);
    for (int id = 0; id < rows; id++) {
      byte[] payload = new byte[10_000];
      random.nextBytes(payload);
      session.execute(
          "INSERT INTO k.crowded (id, payload) VALUES (?, ?)", id, ByteBuffer.wrap(payload));
    }
    Tiered.flush(node, "crowded");
  }

  private boolean compactionRests() throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      for (String tasks : List.of("ActiveTasks", "PendingTasks")) {
        String bean =
            "org.apache.cassandra.metrics:type=ThreadPools,path=internal,"
                + "scope=CompactionExecutor,name="
                + tasks;
        if (((Number) jmx.attribute(bean, "Value")).longValue() > 0) {
          return false;
        }
      }
      return true;
    }
  }

  private int fastSSTables() {
    return session
        .execute(
            "SELECT sstables FROM kasane_views.tiers WHERE keyspace_name = 'k' AND table_name ="
                + " 'crowded' AND tier = 'fast'")
        .one()
        .getInt(0);
  }

  private TieredRows loaded(String table, String... options) {
    TieredRows rows = new TieredRows(node, session, table, Tiered.byHeat(options)).write(0, ROWS);
    Tiered.flush(node, table);
    return rows;
  }

  /** What is read becomes hot when heat is looked at next, and is copied when it is read then. */
  private static void readUntil(Debugger.Stop stop, TieredRows rows) {
    readUntil(stop, rows, 0);
  }

  private static void readUntil(Debugger.Stop stop, TieredRows rows, int id) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              rows.read(id, id + 1);
              return stop.isReached();
            });
  }

  private void awaitCopied(TieredRows rows) {
    Awaitility.await().atMost(PATIENCE).until(() -> copiedRows(rows) > 0);
  }

  private long copiedRows(TieredRows rows) {
    return Tiered.viewed(session, rows.table(), "copied_rows");
  }

  private boolean readsOnlyFast(TieredRows rows) {
    return readsOnlyFast(rows, 0);
  }

  private boolean readsOnlyFast(TieredRows rows, int id) {
    long before = Tiered.viewed(session, rows.table(), "reads_slow");
    rows.read(id, id + 1);
    return Tiered.viewed(session, rows.table(), "reads_slow") == before;
  }
}
