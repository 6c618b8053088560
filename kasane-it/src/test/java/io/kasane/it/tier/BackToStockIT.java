/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way back to stock Cassandra is open at any time, and the way here again. */
@Tag("node")
class BackToStockIT {
  private static final int ROWS = 200;
  private static final int HOT = 20;
  private static final String PACKAGE = "org.apache.cassandra.db.compaction.";
  private static final String STOCK = Tiered.map(PACKAGE + "SizeTieredCompactionStrategy");

  @TempDir private Path dir;

  @Test
  void shouldLeaveEverythingReadableByStockCassandra() {
    LocalCluster cluster = Tiered.oneNode(dir, settings -> settings.syncEveryWrite());
    LocalNode kasane = cluster.node(1);
    LocalNode stockWithBothDisks = kasane.with(settings -> settings.withKasane(false));
    LocalNode stock =
        stockWithBothDisks.with(
            settings ->
                settings.yaml(
                    "data_file_directories", List.of(kasane.settings().slow().toString())));
    try (cluster) {
      kasane.start().waitUntilReady();
      TieredRows rows;
      try (CqlSession session = kasane.connect()) {
        Tiered.createKeyspace(session, 1);
        rows = new TieredRows(kasane, session, "undone", Tiered.onRequest());
        rows.write(0, ROWS);
        alterUnderWrites(kasane, session, rows);
        bringToFast(kasane, session, rows);
        alter(session, rows, STOCK);
        rows.write(0, HOT / 2).delete(HOT).requireAll("ALTER TABLE");
      }
      kasane.stop();

      // The short way: the fast directory stays one of Cassandra's data directories.
      stockWithBothDisks.start().waitUntilReady();
      try (CqlSession session = stockWithBothDisks.connect()) {
        rows.over(session).requireAll("the start without Kasane");
        rows.write(0, HOT).delete(ROWS - 1);
        Tiered.compact(stockWithBothDisks, rows.table());
        rows.requireAll("a stock compaction over both directories");
      }
      stockWithBothDisks.stop();

      // Back again, and the long way: the fast directory is emptied and no longer listed.
      kasane.start().waitUntilReady();
      try (CqlSession session = kasane.connect()) {
        rows.over(session).requireAll("the start with Kasane again");
        bringToFast(kasane, session, rows);
        alter(session, rows, STOCK);
        nodetool(kasane, "relocatesstables");
        assertThat(rows.files().settled().filesBelow(kasane.settings().fast())).isEmpty();
        rows.requireAll("relocatesstables");
      }
      kasane.stop();
      stock.start().waitUntilReady();
      try (CqlSession session = stock.connect()) {
        rows.over(session).requireAll("the start without Kasane and its fast directory");
        rows.read(0, ROWS);
      }
      stock.stop();
    }
  }

  private static void bringToFast(LocalNode kasane, CqlSession session, TieredRows rows) {
    alter(session, rows, Tiered.onRequest());
    rows.read(0, HOT);
    Tiered.compact(kasane, rows.table());
    assertThat(rows.files().settled().fast()).isNotEmpty();
  }

  private static void alter(CqlSession session, TieredRows rows, String compaction) {
    session.execute("ALTER TABLE " + rows.qualified() + " WITH compaction = " + compaction);
  }

  private static void alterUnderWrites(LocalNode node, CqlSession session, TieredRows rows) {
    AtomicBoolean done = new AtomicBoolean();
    Thread altering =
        new Thread(
            () -> {
              try {
                for (String compaction :
                    List.of(
                        Tiered.byHeat("min_threshold", "2"),
                        Tiered.map(PACKAGE + "UnifiedCompactionStrategy"),
                        Tiered.byHeat("min_threshold", "2"),
                        Tiered.map(PACKAGE + "LeveledCompactionStrategy"),
                        Tiered.byHeat("min_threshold", "2"),
                        STOCK)) {
                  alter(session, rows, compaction);
                  Tiered.flush(node, rows.table());
                }
              } finally {
                done.set(true);
              }
            });
    altering.start();
    int round = 0;
    while (!done.get()) {
      int from = round++ * 10 % ROWS;
      rows.write(from, from + 10).read(from, from + 5);
    }
    rows.requireAll("changes of strategy under writes");
  }
}
