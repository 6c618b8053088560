/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.it.safety.SmallDisk;
import io.kasane.it.tier.Tiered;
import io.kasane.node.ByteSize;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Copies of an engine's rows in SSTables: how large they are, and a disk without room for them. */
@Tag("node")
@Tag("pair")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineCopiesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ByteSize DISK = ByteSize.parse("256MiB");
  private static final int FREE_MEGABYTES = 20;
  private static final int ROWS = 3_000;
  private static final int DRAINED = 200;
  private static final int ROW_BYTES = 10_000;

  @TempDir private static Path dir;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private SmallDisk small;
  private Path disk;
  private LocalCluster cluster;
  private LocalNode node;
  private CqlSession session;

  @BeforeAll
  void start() throws Exception {
    Optional<SmallDisk> mounted = SmallDisk.mount(dir.resolve("disk"), DISK);
    assumeTrue(mounted.isPresent(), "to make a small disk needs Linux, and root");
    small = mounted.get();
    disk = small.directory();
    cluster =
        LocalCluster.builder(
                EngineNodes.distribution(dir.resolve("dist"), jar -> true, EngineNodes.faultyJar()),
                dir.resolve("nodes"))
            .isolated()
            .nodes(2)
            .slow(disk)
            .each(
                settings -> {
                  EngineNodes.memtables(
                      settings, Map.of("default", "", "lmdb", "lmdb", "faulty", "faulty"));
                  settings.heap("700m").jvmFlag("-Dkasane.fault_file=" + fault());
                })
            .build();
    node = cluster.node(1);
    cluster.start();
    session = connect();
    EngineNodes.createKeyspace(session, 2);
    awaitSchema();
  }

  /** Both replicas are asked, always. */
  private CqlSession connect() {
    return CqlSession.builder()
        .addContactPoint(
            new InetSocketAddress(node.settings().address(), node.settings().nativePort()))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .build())
        .build();
  }

  @AfterAll
  void stop() {
    threads.shutdownNow();
    if (session != null) {
      session.closeAsync();
    }
    if (cluster != null) {
      cluster.kill9();
    }
    if (small != null) {
      small.close();
    }
  }

  private static Path fault() {
    return dir.resolve("fault");
  }

  private void createTable(String table) {
    createTable(table, "lmdb");
  }

  private void createTable(String table, String memtable) {
    EngineNodes.createTable(session, table, memtable);
    awaitSchema();
  }

  private void awaitSchema() {
    Tiered.awaitSchema(node); // the driver's own check leaves out nodes that it has not met yet
  }

  private List<Path> files(String table, String directory, String end) throws IOException {
    try (Stream<Path> files = Files.walk(node.settings().slow().resolve("k"))) {
      return files
          .filter(file -> file.toString().contains("/" + table + "-"))
          .filter(file -> file.toString().contains(directory))
          .filter(file -> file.toString().endsWith(end))
          .toList();
    }
  }

  /** Bloom filters are of partitions, and not of rows. */
  @Test
  void shouldMakeFiltersForThePartitionsThatThereAre() throws Exception {
    createTable("wide");
    PreparedStatement insert = session.prepare("INSERT INTO k.wide (id, c, v) VALUES (1, ?, 'v')");
    for (int c = 0; c < 2_000; c++) {
      session.execute(insert.bind(c));
    }
    EngineNodes.flush(node, "wide");
    nodetool(node, "snapshot", "-t", "one", "k");
    List<Path> filters = files("wide", "/snapshots/one/", "-Filter.db");
    assertThat(filters).isNotEmpty();
    assertThat(Files.size(filters.get(0))).as("bytes of a filter of one partition").isLessThan(100);
  }

  @Test
  void shouldBackUpWhatIsFlushed() throws Exception {
    createTable("backed");
    nodetool(node, "enablebackup");
    try {
      EngineNodes.write(session, "backed", 0, 200);
      EngineNodes.flush(node, "backed");
      assertThat(files("backed", "/backups/", "-Data.db")).isNotEmpty();
    } finally {
      nodetool(node, "disablebackup");
    }
    Awaitility.await().atMost(PATIENCE).until(() -> EngineNodes.sstables(node, "backed").isEmpty());
    assertThat(EngineNodes.count(session, "backed")).isEqualTo(200);
  }

  private void awaitInEngine(String table) {
    Awaitility.await().atMost(PATIENCE).until(() -> EngineNodes.sstables(node, table).isEmpty());
  }

  /** Cassandra's coordinator alone would wait for ever. */
  @Test
  void shouldEndARepairWhoseStreamFails() throws Exception {
    createTable("differs", "faulty");
    EngineNodes.write(session, "differs", 0, 200);
    EngineNodes.flush(node, "differs");
    // Rows that one replica has: another one's SSTables.
    nodetool(node, "snapshot", "-t", "all", "-cf", "differs", "k");
    session.execute("TRUNCATE k.differs");
    for (Path file : files("differs", "/snapshots/all/", "")) {
      if (Files.isRegularFile(file)) {
        Files.copy(file, file.getParent().getParent().getParent().resolve(file.getFileName()));
      }
    }
    nodetool(node, "refresh", "--", "k", "differs");
    awaitInEngine("differs");
    Files.writeString(fault(), "fail LocalSyncTask");
    assertThatThrownBy(() -> nodetool(node, "repair", "--full", "k", "differs"));
    Files.delete(fault());
    nodetool(node, "repair", "--full", "k", "differs");
    assertThat(EngineNodes.count(session, "differs")).isEqualTo(200);
  }

  /** With a repair always at it, there would be more and more. */
  @Test
  void shouldDeleteWhatRepairsLeaveWhileOthersRun() throws Exception {
    createTable("repaired");
    createTable("long_repair", "faulty");
    for (String table : List.of("repaired", "long_repair")) {
      EngineNodes.write(session, table, 0, table.equals("repaired") ? 300 : 3_000);
      cluster.nodes().forEach(each -> EngineNodes.flush(each, table));
    }
    Files.writeString(fault(), "slow-walks"); // a minute for each walk
    CompletableFuture<?> other =
        CompletableFuture.runAsync(
            () -> nodetool(node, "repair", "--full", "k", "long_repair"), threads);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> node.log().contains("VALIDATION_REQ received by"));
    for (int i = 0; i < 3; i++) {
      nodetool(node, "repair", "--full", "k", "repaired");
      awaitInEngine("repaired");
    }
    assertThat(other).as("the other repair").isNotDone();
    Files.delete(fault());
    other.get(2, TimeUnit.MINUTES);
  }

  /** Its rows come into SSTables that a compaction does not know which has begun before. */
  @Test
  void shouldKeepTombstonesForWhatADrainBrings() throws Exception {
    createTable("drained", "faulty");
    session.execute("ALTER TABLE k.drained WITH gc_grace_seconds = 0");
    EngineNodes.write(session, "drained", 0, DRAINED);
    cluster.nodes().forEach(each -> EngineNodes.flush(each, "drained"));
    Files.writeString(fault(), "full");
    for (int id = 0; id < DRAINED; id++) {
      session.execute("DELETE FROM k.drained WHERE id = " + id);
    }
    writeLarge("drained", 1_000, 900);
    cluster.nodes().forEach(each -> EngineNodes.flush(each, "drained"));
    nodetool(node, "setcompactionthroughput", "1");
    try {
      CompletableFuture<?> compaction =
          CompletableFuture.runAsync(() -> nodetool(node, "compact", "k", "drained"), threads);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> nodetool(node, "compactionstats").contains("drained"));
      session.execute("ALTER TABLE k.drained WITH memtable = 'default'");
      Files.delete(fault());
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> !EngineNodes.mayHaveRows(session, "drained"));
      compaction.get(1, TimeUnit.MINUTES);
    } finally {
      nodetool(node, "setcompactionthroughput", "0");
    }
    assertThat(session.execute("SELECT id FROM k.drained WHERE id < 1000 ALLOW FILTERING").all())
        .as("rows that are back")
        .isEmpty();
  }

  private void writeLarge(String table, int from, int rows) {
    PreparedStatement insert =
        session.prepare("INSERT INTO k." + table + " (id, c, v) VALUES (?, 0, ?)");
    Random random = new Random(1);
    byte[] bytes = new byte[ROW_BYTES / 2];
    for (int id = from; id < from + rows; id++) {
      random.nextBytes(bytes);
      session.execute(insert.bind(id, HexFormat.of().formatHex(bytes)));
    }
  }

  @Test
  void shouldRefuseCopiesThatTheDiskHasNoRoomFor() throws Exception {
    createTable("large");
    writeLarge("large", 0, ROWS);
    cluster.nodes().forEach(each -> EngineNodes.flush(each, "large"));
    Path filling = disk.resolve("filling");
    long free = Files.getFileStore(disk).getUsableSpace() - ((long) FREE_MEGABYTES << 20);
    byte[] megabyte = new byte[1 << 20];
    try (var out = Files.newOutputStream(filling)) {
      for (long left = free; left > 0; left -= megabyte.length) {
        out.write(megabyte);
      }
    }
    session.execute("ALTER TABLE k.large WITH memtable = 'default'");
    Awaitility.await().atMost(PATIENCE).until(() -> node.log().contains("a copy of k.large"));
    assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(10L << 20);
    assertThat(EngineNodes.sstables(node, "large")).isEmpty();
    assertThat(EngineNodes.count(session, "large")).isEqualTo(ROWS);
    session.execute("ALTER TABLE k.large WITH memtable = 'lmdb'");
    assertThatThrownBy(() -> nodetool(node, "repair", "--full", "k", "large"));
    assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(10L << 20);
    Files.delete(filling);
    nodetool(node, "repair", "--full", "k", "large");
    assertThat(node.log().contains("out of sync for large")).isFalse();
    session.execute("ALTER TABLE k.large WITH memtable = 'default'");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> !EngineNodes.mayHaveRows(session, "large"));
    assertThat(EngineNodes.count(session, "large")).isEqualTo(ROWS);
  }
}
