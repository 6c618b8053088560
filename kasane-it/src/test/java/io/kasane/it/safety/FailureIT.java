/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.ByteSize;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong settings and lost, full and broken fast disks: plain words, and no row lost. */
@Tag("node")
class FailureIT {
  private static final String CLASS = "io.kasane.tier.HeatTieredCompactionStrategy";
  private static final String FAST_FIRST =
      "{'class': '" + CLASS + "', 'placement': 'fast-first', 'heat_period': '1s'}";
  private static final int KEYS = 1500;
  private static final int MAX_BYTES = 8000;
  private static final double WRITES_ONLY = 0;

  private final CheckedRows rows = new CheckedRows("rows", KEYS, MAX_BYTES);
  private final CheckedRows plain = new CheckedRows("plain", 300, 300);
  private final Random random = new Random(1);

  @TempDir private Path dir;
  private LocalNode node;

  private LocalNode newNode(Consumer<NodeSettings.Builder> change) {
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(settings -> settings.heap("600m").syncEveryWrite().yaml("auto_snapshot", false))
            .each(change)
            .build()
            .node(1);
    return node;
  }

  @AfterEach
  void killNode() {
    node.kill9();
  }

  @Test
  void shouldRefuseToStartWithWrongSettings() throws IOException {
    newNode(settings -> {});
    Path fast = node.settings().fast();
    Path slow = node.settings().slow();
    Path kasaneYaml = dir.resolve("other.yaml");
    Files.writeString(kasaneYaml, "fast_directory: [" + fast + "]\n");

    requireRefused(
        settings -> settings.jvmFlag("-Dkasane.config=" + kasaneYaml),
        "Kasane refuses to start",
        "unknown setting 'fast_directory'",
        "known ones are [engine_directory, engines, fast_directories, fast_quota, heat_directory,"
            + " heat_memory, key_lists_directory, show_keys]");
    requireRefused(
        settings -> settings.yaml("data_file_directories", List.of(fast.toString(), slow + "")),
        "data_file_directories of cassandra.yaml starts with the fast directory " + fast,
        "list a slow directory first");
    Files.writeString(kasaneYaml, "fast_directories: [" + fast + "]\n");
    requireRefused(
        settings ->
            settings
                .jvmFlag("-Dkasane.config=" + kasaneYaml)
                .yaml("data_file_directories", List.of(slow.toString())),
        "fast_directories names " + fast + ", which is not among data_file_directories",
        "add it there, after the slow ones");
    Path earlier = dir.resolve("earlier-on-class-path");
    Path version = earlier.resolve("org/apache/cassandra/config/version.properties");
    Files.createDirectories(version.getParent());
    Files.writeString(version, "CassandraVersion=5.1.2\n");
    requireRefused(
        settings -> settings.jvmFlag("-Xbootclasspath/a:" + earlier),
        "this build of Kasane supports Apache Cassandra 5.0.x, but the node runs 5.1.2",
        "Install the Kasane jars made for that line");
  }

  private void requireRefused(Consumer<NodeSettings.Builder> change, String... words) {
    LocalNode changed = node.with(change);
    int before = changed.log().lines().size();
    Throwable refusal = catchThrowable(() -> changed.start().waitUntilReady());
    assertThat(refusal).isInstanceOf(NodeException.class);
    assertThat(changed.isAlive()).isFalse();
    assertThat(newLines(changed, before)).as("log of what failed with %s", refusal).contains(words);
  }

  private static String newLines(LocalNode of, int before) {
    List<String> lines = of.log().lines();
    return String.join("\n", lines.subList(Math.min(before, lines.size()), lines.size()));
  }

  @Test
  void shouldServeFromSlowWithoutRoomOnFastAndRefuseBadOptions() throws Exception {
    newNode(settings -> settings.fastQuota(new ByteSize(0))).start().waitUntilReady();
    assertThat(node.log().contains("are on the same device")).isTrue();
    try (CqlSession session = node.connect()) {
      create(session, rows, FAST_FIRST);
      create(session, plain, "{'class': 'SizeTieredCompactionStrategy'}");
      loadAndFlush(rows);
      loadAndFlush(plain);
      assertThat(dataFiles(node.settings().fast())).isEmpty();
      assertThat(node.log().contains("Kasane alone writes to")).isTrue();
      assertThat(node.log().contains("Disallowing")).as("a WARN line per table").isFalse();
      assertThat(dataFiles(node.settings().slow())).isNotEmpty();
      session.execute(
          "ALTER TABLE safety.rows WITH compaction = " + withOption("fast_quota", "9KiB"));
      loadAndFlush(rows);
      assertThat(dataFiles(node.settings().fast())).isEmpty();
      rows.verify();
      requireBadOptionsRefused(session);
    }
    node.stop();
    LocalNode beyond = node.with(settings -> settings.fastQuota(ByteSize.parse("900TiB")));
    beyond.start().waitUntilReady();
    assertThat(beyond.log().contains("fast_quota is " + (900L << 40) + " bytes, but the disks of"))
        .isTrue();
    try (CqlSession session = beyond.connect()) {
      rows.connect(session);
      session.execute("ALTER TABLE safety.rows WITH compaction = " + FAST_FIRST);
      loadAndFlush(rows);
      rows.verify();
    }
    assertThat(dataFiles(node.settings().fast())).isNotEmpty();
    assertThat(beyond.log().errors()).isEmpty();
  }

  private static void requireBadOptionsRefused(CqlSession session) {
    String before = compactionOf(session);
    requireAlterRefused(session, withOption("heat_polciy", "share"), "heat_polciy");
    requireAlterRefused(
        session,
        withOption("heat_policy", "hottest"),
        "heat_policy is 'hottest' but must be one of budget, share, listed, window");
    requireAlterRefused(
        session,
        withOption("placement", "ssd"),
        "placement is 'ssd' but must be one of heat, fast-first, free-space");
    requireAlterRefused(
        session,
        withOption("heat_share", "1.5"),
        "heat_share is '1.5' but must be a number from 0");
    requireAlterRefused(
        session,
        withOption("heat_period", "0s"),
        "heat_period is '0s' but must be a duration from");
    requireAlterRefused(
        session, withOption("fast_quota", "-1"), "fast_quota is '-1' but must be a size");
    requireAlterRefused(
        session, withOption("hot_min_threshold", "1"), "hot_min_threshold is '1'", "from 2 to");
    requireAlterRefused(
        session, withOption("max_threshold", "few"), "max_threshold is 'few'", "a whole number");
    assertThat(compactionOf(session)).isEqualTo(before);
  }

  private static String withOption(String name, String value) {
    return "{'class': '" + CLASS + "', '" + name + "': '" + value + "'}";
  }

  private static void requireAlterRefused(CqlSession session, String compaction, String... words) {
    assertThatThrownBy(
            () -> session.execute("ALTER TABLE safety.rows WITH compaction = " + compaction))
        .hasMessageContainingAll(words);
  }

  private static String compactionOf(CqlSession session) {
    return session
        .execute(
            "SELECT compaction FROM system_schema.tables"
                + " WHERE keyspace_name = 'safety' AND table_name = 'rows'")
        .one()
        .getMap("compaction", String.class, String.class)
        .toString();
  }

  @Test
  void shouldNotServeWithoutAFastDiskThatHeldRows() throws Exception {
    newNode(settings -> settings.fastQuota(ByteSize.parse("64MiB"))).start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      create(session, rows, FAST_FIRST);
      create(session, plain, "{'class': 'SizeTieredCompactionStrategy'}");
      loadAndFlush(rows);
      loadAndFlush(plain);
    }
    assertThat(dataFiles(node.settings().fast())).isNotEmpty();
    node.stop();
    Path fast = node.settings().fast();
    Path away = fast.resolveSibling("unmounted");

    String acceptLoss =
        "-Dkasane.accept_fast_loss=" + Files.readString(fast.resolve(".kasane-fast-disk"));
    Path withoutFast = Files.writeString(dir.resolve("without-fast.yaml"), "fast_quota: 1GiB\n");

    Files.move(fast, away);
    requireRefused(
        settings -> settings.jvmFlag("-Dkasane.config=" + withoutFast),
        "fast directory " + fast + " has no .kasane-fast-disk file",
        "list it in data_file_directories of cassandra.yaml and in fast_directories of kasane.yaml",
        acceptLoss);
    requireRefused(
        settings -> {},
        "fast directory " + fast + " has no .kasane-fast-disk file",
        "seems not to be mounted",
        acceptLoss,
        "nodetool repair");
    requireRefused(
        settings -> settings.jvmFlag("-Dkasane.accept_fast_loss=true"),
        acceptLoss + " (now it is 'true', which is not the id of that disk)");
    DirectoryUse.delete(fast);
    Files.move(away, fast);

    // The jars are there and the schema names the class, but nobody set the storage hook.
    int before = node.log().lines().size();
    LocalNode unhooked =
        new LocalNode(distributionWithoutHook(), node.settings())
            .with(settings -> settings.withKasane(false));
    unhooked.start().waitUntilReady();
    assertThat(newLines(unhooked, before))
        .contains("safety.rows uses HeatTieredCompactionStrategy", "without Kasane's storage hook");
    try (CqlSession session = unhooked.connect()) {
      rows.connect(session);
      rows.verify();
      requireAlterRefused(
          session, withOption("heat_share", "0.4"), "needs Kasane's storage hook: add -D");
    }
    unhooked.stop();

    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      rows.connect(session);
      rows.verify();
    }
    node.stop();

    Files.move(fast, away);
    LocalNode accepting = node.with(settings -> settings.jvmFlag(acceptLoss));
    before = node.log().lines().size();
    accepting.start().waitUntilReady();
    assertThat(newLines(accepting, before)).contains("going on without its rows");
    try (CqlSession session = accepting.connect()) {
      plain.connect(session);
      plain.verify();
    }
    accepting.stop();

    // The option that was left in accepts no second loss.
    DirectoryUse.delete(fast);
    requireRefused(
        settings -> settings.jvmFlag(acceptLoss), "seems not to be mounted", "which is not the id");
    assertThat(node.log().errors().stream().filter(line -> !line.contains("[main]"))).isEmpty();
  }

  /** A stock class path with Kasane's jars beside Cassandra's, as in lib/ of an installation. */
  private Distribution distributionWithoutHook() throws IOException {
    Distribution real = Distribution.locate();
    Path lib = Files.createDirectories(dir.resolve("installation/lib/cassandra"));
    for (Path from : List.of(real.cassandraLib(), real.kasaneLib())) {
      try (Stream<Path> jars = Files.list(from)) {
        for (Path jar : jars.toList()) {
          Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
      }
    }
    return new Distribution(dir.resolve("installation"));
  }

  @Test
  void shouldSpillToSlowWhenTheFastDiskIsFull() throws Exception {
    newNode(settings -> {});
    Optional<SmallDisk> disk = SmallDisk.mount(node.settings().fast(), ByteSize.parse("4MiB"));
    assumeTrue(disk.isPresent(), "needs the right to mount a tmpfs");
    try (SmallDisk small = disk.orElseThrow()) {
      node.start().waitUntilReady();
      DiskAudit audit = new DiskAudit(node.settings(), Set.of(rows.qualifiedName()));
      assertThat(node.log().contains("are on the same device")).isFalse();
      try (CqlSession session = node.connect()) {
        create(session, rows, FAST_FIRST);
        loadAndFlush(rows);
        loadAndFlush(rows);
        assertThat(dataFiles(node.settings().fast())).isNotEmpty();
        assertThat(dataFiles(node.settings().slow().resolve("safety"))).isNotEmpty();
        audit.requireClean(node);
        rows.verify();

        Path filler = node.settings().fast().resolve("filler");
        assertThatThrownBy(() -> Files.write(filler, new byte[5 << 20]))
            .isInstanceOf(IOException.class);
        assertThat(Files.getFileStore(filler).getUsableSpace()).isZero();
        loadAndFlush(rows);
        rows.verify();
        audit.requireClean(node);
        Files.delete(filler);
      }
      assertThat(node.log().errors()).isEmpty();
      node.stop();

      small.setReadOnly(true);
      requireRefused(settings -> {}, node.settings().fast().toString());
      small.setReadOnly(false);
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        rows.connect(session);
        rows.verify();
      }
      node.stop();
    }
  }

  @Test
  void shouldFlushToSlowWhenTheFastDiskTurnsReadOnly() throws Exception {
    newNode(settings -> settings.yaml("disk_failure_policy", "best_effort"));
    Optional<SmallDisk> disk = SmallDisk.mount(node.settings().fast(), ByteSize.parse("16MiB"));
    assumeTrue(disk.isPresent(), "needs the right to mount a tmpfs");
    try (SmallDisk small = disk.orElseThrow()) {
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        create(session, rows, FAST_FIRST);
        loadAndFlush(rows);
        assertThat(dataFiles(node.settings().fast())).isNotEmpty();

        small.setReadOnly(true);
        loadAndFlush(rows);
        assertThat(dataFiles(node.settings().slow().resolve("safety"))).isNotEmpty();
        assertThat(node.log().contains("is not writable or its disk is gone: rows go to slow"))
            .isTrue();
      }
      node.kill9();
      small.setReadOnly(false);
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        rows.connect(session);
        rows.verify();
      }
    }
  }

  private static void create(CqlSession session, CheckedTable<?> table, String compaction) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS safety WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE "
            + table.qualifiedName()
            + " ("
            + table.columns()
            + ") WITH compaction = "
            + compaction);
    table.connect(session);
  }

  private void loadAndFlush(CheckedTable<?> table) throws IOException {
    for (int i = 0; i < 60; i++) {
      assertThat(table.step(random, WRITES_ONLY)).isTrue();
    }
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush("safety", table.name());
    }
  }

  private static List<Path> dataFiles(Path root) {
    return FilesBelow.of(root).stream()
        .filter(file -> file.toString().endsWith("-Data.db"))
        .toList();
  }
}
