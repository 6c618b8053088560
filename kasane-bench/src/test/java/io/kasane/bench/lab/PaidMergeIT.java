/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.disk.Devices;
import io.kasane.disk.Layout;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a disk that takes its time, reads decide when SSTables are merged. */
@Tag("node")
@Tag("long")
class PaidMergeIT {
  private static final String KEYSPACE = "paid";
  private static final int ROWS = 50;
  private static final int SSTABLES = 3;

  @TempDir private Path dir;

  @Test
  void shouldMergeWhatReadsHaveLookedIntoTooOften() throws Exception {
    Path layout = dir.resolve("disks.properties");
    Path disk = Files.createDirectory(dir.resolve("slow"));
    try (LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(settings -> configure(settings, disk, layout))
            .build()) {
      LocalNode node = cluster.node(1);
      Layout.Entry slow = new Layout.Entry("slow", disk, "hdd-7200", 1L << 40, 1, 1);
      new Layout(List.of(slow), 0).write(layout);
      node.start().waitUntilReady();
      try (NodeJmx jmx = node.jmx();
          CqlSession session = node.connect()) {
        session.execute(
            "CREATE KEYSPACE paid WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        fill(session, jmx, "read", "");
        fill(session, jmx, "unread", "");
        fill(session, jmx, "by_size", ", 'slow_read_cost': '0B'");
        jmx.setAttribute("io.kasane.disk:type=Disk,name=slow", "Instant", false);
        await()
            .atMost(Duration.ofMinutes(2))
            .until(
                () -> {
                  read(session, "read");
                  read(session, "by_size");
                  return sstables(jmx, "read") == 1;
                });
        assertThat(sstables(jmx, "by_size")).isEqualTo(SSTABLES);
        assertThat(sstables(jmx, "unread")).isEqualTo(SSTABLES);
        read(session, "read");
      }
    }
  }

  private static void configure(NodeSettings.Builder settings, Path disk, Path layout) {
    settings
        .heap("512m")
        .slow(disk)
        .yaml("data_file_directories", List.of(disk.toString()))
        .yaml("disk_access_mode", "standard")
        .jvmFlag("-D" + Devices.INSTANT_PROPERTY + "=true");
    ModelRig.jvmFlags(layout).forEach(settings::jvmFlag);
  }

  private static void fill(CqlSession session, NodeJmx jmx, String table, String option)
      throws IOException {
    session.execute(
        "CREATE TABLE paid."
            + table
            + " (id int PRIMARY KEY, a int, b int, c int) WITH compaction ="
            + " {'class': 'io.kasane.tier.HeatTieredCompactionStrategy'"
            + option
            + "}");
    for (String column : List.of("a", "b", "c")) {
      for (int id = 0; id < ROWS; id++) {
        session.execute("INSERT INTO paid." + table + " (id, " + column + ") VALUES (?, 7)", id);
      }
      jmx.flush(KEYSPACE, table);
    }
    assertThat(sstables(jmx, table)).isEqualTo(SSTABLES);
  }

  private static void read(CqlSession session, String table) {
    for (int id = 0; id < ROWS; id++) {
      var row = session.execute("SELECT a, b, c FROM paid." + table + " WHERE id = ?", id).one();
      assertThat(List.of(row.getInt("a"), row.getInt("b"), row.getInt("c"))).containsOnly(7);
    }
  }

  private static int sstables(NodeJmx jmx, String table) throws IOException {
    Object count =
        jmx.attribute(
            "org.apache.cassandra.metrics:type=Table,keyspace=paid,scope="
                + table
                + ",name=LiveSSTableCount",
            "Value");
    return ((Number) count).intValue();
  }
}
