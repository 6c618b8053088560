/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.TableView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node without a fast disk starts and compacts by size, whatever the strategy of the table. */
@Tag("node")
class OneDiskIT {
  private static final int ROWS_PER_FLUSH = 100;
  private static final int FLUSHES = 4;

  @TempDir private Path dir;

  @Test
  void shouldCompactBySizeAndServe() throws Exception {
    Path slow = dir.resolve("only");
    try (LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir.resolve("cluster"))
            .isolated()
            .each(
                settings ->
                    settings.heap("600m").yaml("data_file_directories", List.of(slow.toString())))
            .build()) {
      cluster.start();
      LocalNode node = cluster.node(1);
      try (CqlSession session = node.connect();
          NodeJmx jmx = node.jmx()) {
        session.setSchemaMetadataEnabled(false);
        session.execute(
            "CREATE KEYSPACE k WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        session.execute(
            "CREATE TABLE k.t (id int PRIMARY KEY, v int) WITH compaction ="
                + " {'class': 'io.kasane.tier.HeatTieredCompactionStrategy'}");
        for (int id = 0; id < ROWS_PER_FLUSH * FLUSHES; id++) {
          session.execute("INSERT INTO k.t (id, v) VALUES (" + id + ", " + id + ")");
          if (id % ROWS_PER_FLUSH == ROWS_PER_FLUSH - 1) {
            jmx.flush("k", "t");
          }
        }
        String address = node.settings().address();
        KasaneViews views =
            new KasaneViews(session, address, node.settings().nativePort(), "k", "t");
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(views.tiers().get(1).sstables()).isEqualTo(1));
        for (int id = 0; id < ROWS_PER_FLUSH * FLUSHES; id += 7) {
          assertThat(session.execute("SELECT v FROM k.t WHERE id = " + id).one().getInt("v"))
              .isEqualTo(id);
        }
        TableView view = views.requireTable();
        assertThat(view.fastQuotaBytes()).isZero();
        assertThat(view.readsFast()).isZero();
        assertThat(view.readsSlow()).isPositive();
      }
    }
  }
}
