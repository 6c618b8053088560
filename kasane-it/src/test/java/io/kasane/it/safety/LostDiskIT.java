/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static io.kasane.it.safety.FailureTables.BY_SIZE;
import static io.kasane.it.safety.FailureTables.FAST_FIRST;
import static io.kasane.it.safety.FailureTables.dataFiles;
import static io.kasane.it.safety.FailureTables.newLines;
import static io.kasane.it.safety.FailureTables.requireRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.ByteSize;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose fast disk goes, comes back, and is lost for good, and which is started without
 * Kasane's storage hook and without room on fast: plain words, and no row lost. The steps are those
 * of one node.
 */
@Tag("node")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LostDiskIT {
  private static final CheckedRows rows = FailureTables.largeRows();
  private static final CheckedRows plain = new CheckedRows("plain", 300, 300);
  private static final CheckedRows late = new CheckedRows("late", 300, 300);
  private static final FailureTables tables = new FailureTables();

  @TempDir private static Path dir;
  private static LocalNode node;
  private static Path fast;
  private static Path away;

  @BeforeAll
  static void describe() {
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("600m")
                        .syncEveryWrite()
                        .yaml("auto_snapshot", false)
                        .fastQuota(ByteSize.parse("900TiB")))
            .build()
            .node(1);
    fast = node.settings().fast();
    away = fast.resolveSibling("unmounted");
  }

  @AfterAll
  static void kill() {
    node.kill9();
  }

  @Test
  @Order(1)
  void shouldServeAndWarnOfWhatMakesNothingFaster() throws Exception {
    node.start().waitUntilReady();
    assertThat(node.log().contains("fast_quota is " + (900L << 40) + " bytes, but the disks of"))
        .isTrue();
    assertThat(node.log().contains("are on the same device")).isTrue();
    try (CqlSession session = node.connect()) {
      FailureTables.create(session, rows, FAST_FIRST);
      FailureTables.create(session, plain, BY_SIZE);
      tables.loadAndFlush(node, rows);
      tables.loadAndFlush(node, plain);
    }
    assertThat(dataFiles(fast)).isNotEmpty();
    assertThat(node.log().contains("Kasane alone writes to")).isTrue();
    assertThat(node.log().contains("Disallowing")).as("a WARN line per table").isFalse();
  }

  /** Which others are refused, and with which words, does not take a node to show. */
  @Test
  @Order(2)
  void shouldRefuseBadOptionsOfTables() {
    try (CqlSession session = node.connect()) {
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
          session, withOption("max_threshold", "few"), "max_threshold is 'few'", "a whole number");
      assertThat(compactionOf(session)).isEqualTo(before);
    }
  }

  private static String withOption(String name, String value) {
    return "{'class': '" + FailureTables.STRATEGY + "', '" + name + "': '" + value + "'}";
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
  @Order(3)
  void shouldNotStartWithoutAFastDiskThatHeldRows() throws IOException {
    String acceptLoss = acceptLoss();
    node.stop();
    Files.move(fast, away);
    requireRefused(
        node,
        "fast directory " + fast + " has no .kasane-fast-disk file",
        "seems not to be mounted",
        acceptLoss,
        "nodetool repair");
    DirectoryUse.delete(fast);
    Files.move(away, fast);
  }

  private static String acceptLoss() throws IOException {
    return "-Dkasane.accept_fast_loss=" + Files.readString(fast.resolve(".kasane-fast-disk"));
  }

  /** The jars are there and the schema names the class, but nobody set the storage hook. */
  @Test
  @Order(4)
  void shouldReadBothDisksWithoutTheStorageHook() throws IOException {
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
  }

  /** A stock class path with Kasane's jars beside Cassandra's, as in lib/ of an installation. */
  private static Distribution distributionWithoutHook() throws IOException {
    Distribution real = Distribution.locate();
    Path lib = Files.createDirectories(dir.resolve("installation/lib/cassandra"));
    List<Path> libs = new ArrayList<>(real.kasaneLibs());
    libs.add(real.cassandraLib());
    for (Path from : libs) {
      try (Stream<Path> jars = Files.list(from)) {
        for (Path jar : jars.toList()) {
          Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
      }
    }
    return new Distribution(dir.resolve("installation"));
  }

  @Test
  @Order(5)
  void shouldHaveAllRowsOnceDiskAndHookAreBack() {
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      rows.connect(session);
      rows.verify();
    }
    assertThat(dataFiles(fast)).isNotEmpty();
    node.stop();
  }

  @Test
  @Order(6)
  void shouldServeFromSlowWithoutRoomOnFastOnceTheLossIsAccepted() throws Exception {
    String acceptLoss = acceptLoss();
    Files.move(fast, away);
    int before = node.log().lines().size();
    LocalNode accepting =
        node.with(settings -> settings.jvmFlag(acceptLoss).fastQuota(new ByteSize(0)));
    accepting.start().waitUntilReady();
    assertThat(newLines(accepting, before)).contains("going on without its rows");
    try (CqlSession session = accepting.connect()) {
      plain.connect(session);
      plain.verify();
      FailureTables.create(session, late, FAST_FIRST);
      tables.loadAndFlush(accepting, late);
      session.execute(
          "ALTER TABLE safety.late WITH compaction = " + withOption("fast_quota", "9KiB"));
      tables.loadAndFlush(accepting, late);
      late.verify();
    }
    assertThat(dataFiles(fast)).isEmpty();
    assertThat(dataFiles(accepting.settings().slow().resolve("safety"))).isNotEmpty();
    assertThat(node.log().errors().stream().filter(line -> !line.contains("[main]"))).isEmpty();
  }
}
