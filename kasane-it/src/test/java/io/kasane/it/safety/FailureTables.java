/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Tables whose disks fail, and what is asked of the node that has them. */
final class FailureTables {
  static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";
  static final String FAST_FIRST =
      "{'class': '" + STRATEGY + "', 'placement': 'fast-first', 'heat_period': '1s'}";
  static final String BY_SIZE = "{'class': 'SizeTieredCompactionStrategy'}";

  private static final int STEPS = 60;
  private static final double WRITES_ONLY = 0;

  private final Random random = new Random(1);

  /** Far more bytes than the small disks of these tests have. */
  static CheckedRows largeRows() {
    return new CheckedRows("rows", 1500, 8000);
  }

  static void create(CqlSession session, CheckedTable<?> table, String compaction) {
    session.setSchemaMetadataEnabled(false);
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

  void loadAndFlush(LocalNode node, CheckedTable<?> table) throws IOException {
    for (int i = 0; i < STEPS; i++) {
      assertThat(table.step(random, WRITES_ONLY)).isTrue();
    }
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(CheckedTable.KEYSPACE, table.name());
    }
  }

  static List<Path> dataFiles(Path root) {
    return FilesBelow.of(root).stream()
        .filter(file -> file.toString().endsWith("-Data.db"))
        .toList();
  }

  /** The node does not start, and its log says why. */
  static void requireRefused(LocalNode node, String... words) {
    int before = node.log().lines().size();
    Throwable refusal = catchThrowable(() -> node.start().waitUntilReady());
    assertThat(refusal).isInstanceOf(NodeException.class);
    assertThat(node.isAlive()).isFalse();
    assertThat(newLines(node, before))
        .as("log of what failed with %s", refusal)
        .contains(words)
        .doesNotContain("\tat ");
  }

  static String newLines(LocalNode node, int before) {
    List<String> lines = node.log().lines();
    return String.join("\n", lines.subList(Math.min(before, lines.size()), lines.size()));
  }
}
