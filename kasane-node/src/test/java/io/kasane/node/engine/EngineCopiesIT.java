/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineCopiesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int DISK_MEGABYTES = 160;
  private static final int FREE_MEGABYTES = 20;
  private static final int ROWS = 20_000;
  private static final int ROW_BYTES = 1500;

  @TempDir private static Path dir;
  private Path disk;
  private LocalNode node;
  private CqlSession session;

  @BeforeAll
  void start() throws Exception {
    disk = Files.createDirectories(dir.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MEGABYTES + "m", "tmpfs", disk.toString()),
        "to make a small disk needs Linux, and root");
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir.resolve("nodes"))
            .isolated()
            .each(
                settings -> {
                  EngineNodes.memtables(settings, Map.of("default", "", "lmdb", "lmdb"));
                  settings.heap("700m").slow(disk.resolve("data"));
                })
            .build();
    node = cluster.node(1);
    cluster.start();
    session = node.connect();
    EngineNodes.createKeyspace(session, 1);
  }

  @AfterAll
  void stop() throws Exception {
    if (session != null) {
      session.closeAsync();
    }
    if (node != null) {
      node.kill9();
      Awaitility.await().atMost(PATIENCE).until(() -> run("umount", disk.toString()));
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
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
    EngineNodes.createTable(session, "wide", "lmdb");
    PreparedStatement insert = session.prepare("INSERT INTO k.wide (id, c, v) VALUES (1, ?, 'v')");
    for (int c = 0; c < ROWS; c++) {
      session.execute(insert.bind(c));
    }
    EngineNodes.flush(node, "wide");
    node.nodetool("snapshot", "-t", "one", "k");
    List<Path> filters = files("wide", "/snapshots/one/", "-Filter.db");
    assertThat(filters).isNotEmpty();
    assertThat(Files.size(filters.get(0))).as("bytes of a filter of one partition").isLessThan(100);
  }

  @Test
  void shouldBackUpWhatIsFlushed() throws Exception {
    EngineNodes.createTable(session, "backed", "lmdb");
    node.nodetool("enablebackup");
    try {
      EngineNodes.write(session, "backed", 0, 200);
      EngineNodes.flush(node, "backed");
      assertThat(files("backed", "/backups/", "-Data.db")).isNotEmpty();
    } finally {
      node.nodetool("disablebackup");
    }
    Awaitility.await().atMost(PATIENCE).until(() -> EngineNodes.sstables(node, "backed").isEmpty());
    assertThat(EngineNodes.count(session, "backed")).isEqualTo(200);
  }

  @Test
  void shouldRefuseCopiesThatTheDiskHasNoRoomFor() throws Exception {
    EngineNodes.createTable(session, "large", "lmdb");
    PreparedStatement insert = session.prepare("INSERT INTO k.large (id, c, v) VALUES (?, 0, ?)");
    Random random = new Random(1);
    byte[] bytes = new byte[ROW_BYTES / 2];
    for (int id = 0; id < ROWS; id++) {
      random.nextBytes(bytes);
      session.execute(insert.bind(id, java.util.HexFormat.of().formatHex(bytes)));
    }
    EngineNodes.flush(node, "large");
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
    Files.delete(filling);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> !EngineNodes.mayHaveRows(session, "large"));
    assertThat(EngineNodes.count(session, "large")).isEqualTo(ROWS);
  }
}
