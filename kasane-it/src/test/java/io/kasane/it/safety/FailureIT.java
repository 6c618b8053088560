/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static io.kasane.it.safety.FailureTables.FAST_FIRST;
import static io.kasane.it.safety.FailureTables.dataFiles;
import static io.kasane.it.safety.FailureTables.requireRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Wrong settings, and a fast disk that is full and then turns read-only: plain words, and no row
 * lost. The steps are those of one node.
 */
@Tag("node")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailureIT {
  private static final CheckedRows rows = FailureTables.largeRows();
  private static final CheckedRows late = new CheckedRows("late", 300, 300);
  private static final FailureTables tables = new FailureTables();

  @TempDir private static Path dir;
  private static LocalNode node;
  private static Optional<SmallDisk> disk;

  @BeforeAll
  static void mount() throws IOException {
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("600m")
                        .syncEveryWrite()
                        .yaml("auto_snapshot", false)
                        .yaml("disk_failure_policy", "best_effort"))
            .build()
            .node(1);
    disk = SmallDisk.mount(node.settings().fast(), ByteSize.parse("4MiB"));
  }

  @AfterAll
  static void unmount() {
    node.kill9();
    disk.ifPresent(SmallDisk::close);
  }

  private static SmallDisk disk() {
    assumeTrue(disk.isPresent(), "needs the right to mount a tmpfs");
    return disk.orElseThrow();
  }

  /** What else is refused, and with which words, does not take a node to show. */
  @Test
  @Order(1)
  void shouldRefuseToStartWithWrongSettings() throws IOException {
    Path kasaneYaml = Files.writeString(dir.resolve("other.yaml"), "fast_directory: [/fast]\n");
    requireRefused(
        node.with(settings -> settings.jvmFlag("-Dkasane.config=" + kasaneYaml)),
        "Kasane refuses to start",
        "unknown setting 'fast_directory'",
        "known ones are [arenas, engine_directory, engines, fast_directories, fast_quota,"
            + " heat_directory, heat_memory, key_lists_directory, kinds, show_keys]");
  }

  @Test
  @Order(2)
  void shouldSpillToSlowWhenTheFastDiskIsFull() throws Exception {
    disk();
    int errorsBefore = node.log().errors().size();
    node.start().waitUntilReady();
    DiskAudit audit =
        new DiskAudit(node.settings(), Set.of(rows.qualifiedName(), late.qualifiedName()));
    assertThat(node.log().contains("are on the same device")).isFalse();
    try (CqlSession session = node.connect()) {
      FailureTables.create(session, rows, FAST_FIRST);
      FailureTables.create(session, late, FAST_FIRST);
      tables.loadAndFlush(node, rows);
      tables.loadAndFlush(node, rows);
      assertThat(dataFiles(node.settings().fast())).isNotEmpty();
      assertThat(dataFiles(node.settings().slow().resolve("safety"))).isNotEmpty();
      audit.requireClean(node);
      rows.verify();

      Path filler = node.settings().fast().resolve("filler");
      assertThatThrownBy(() -> Files.write(filler, new byte[5 << 20]))
          .isInstanceOf(IOException.class);
      assertThat(Files.getFileStore(filler).getUsableSpace()).isZero();
      tables.loadAndFlush(node, rows);
      rows.verify();
      audit.requireClean(node);
      Files.delete(filler);
    }
    assertThat(node.log().errors()).hasSize(errorsBefore);
  }

  @Test
  @Order(3)
  void shouldFlushToSlowWhenTheFastDiskTurnsReadOnly() throws Exception {
    disk().setReadOnly(true);
    try (CqlSession session = node.connect()) {
      late.connect(session);
      tables.loadAndFlush(node, late);
      assertThat(new DataFiles(node.settings().slow(), late.name()).all()).isNotEmpty();
      assertThat(new DataFiles(node.settings().fast(), late.name()).all()).isEmpty();
      assertThat(node.log().contains("is not writable or its disk is gone: rows go to slow"))
          .isTrue();
      late.verify();
    }
  }

  @Test
  @Order(4)
  void shouldNotStartWhileTheFastDiskIsReadOnly() {
    disk();
    node.kill9();
    requireRefused(node, node.settings().fast().toString());
  }

  @Test
  @Order(5)
  void shouldHaveAllRowsOnceTheFastDiskIsWritableAgain() {
    disk().setReadOnly(false);
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      for (CheckedRows table : List.of(rows, late)) {
        table.connect(session);
        table.verify();
      }
    }
  }
}
