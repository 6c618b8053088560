/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.Kasane;
import io.kasane.cli.doctor.Doctor;
import io.kasane.cli.doctor.Finding;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.views.HeatBand;
import io.kasane.node.views.HotKey;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.KnownHeat;
import io.kasane.node.views.Moment;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableView;
import io.kasane.node.views.TierView;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What Kasane shows over CQL and JMX is what a test can count itself. */
@Tag("node")
@ExtendWith(SharedNode.class)
class ViewsIT {
  private static final int ROWS = 200;
  private static final int HOT = 20;
  private static final String NODE_METRIC = "org.apache.cassandra.metrics:type=Kasane,name=";

  @TempDir private Path dir;
  private final LocalNode node;
  private final CqlSession shared;

  ViewsIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.shared = session;
  }

  @Test
  void shouldShowRealNumbersAndKeepHeatOverAKill() throws IOException {
    // A period of a second: heat is saved once a period.
    TieredRows rows =
        new TieredRows(
            node,
            shared,
            "seen",
            Tiered.strategy(
                "heat_policy",
                "share",
                "heat_share",
                "1",
                "heat_period",
                "1s",
                "enabled",
                "false"));
    countReads(shared, rows);
    agreeWithTheDisks(shared, rows);
    agreeOverJmx(shared, rows);
    drawPictures(shared, rows);
    countWhatTheTableSays(shared);
    knowTooLittle(shared);
    waitUntilHeatIsSaved(rows);
    node.kill9();
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      rows.over(session);
      TableView view = views(session, rows).requireTable();
      assertThat(view.trackedKeys()).isGreaterThanOrEqualTo(HOT);
      // Nothing was read since: what was read before the kill is known to be hot.
      Tiered.compact(node, rows.table());
      List<String> read = new ArrayList<>(TieredRows.ids(0, HOT));
      read.addAll(TieredRows.ids(ROWS - 10, ROWS));
      assertThat(rows.files().settled().keys().fast()).containsExactlyInAnyOrderElementsOf(read);
      rows.requireAll("the kill");
      rows.read(3, 4);
      forgetADroppedTable(session, rows);
    }
  }

  private void countReads(CqlSession session, TieredRows rows) {
    rows.write(0, ROWS);
    // The history begins before the reads, which a slow machine may else have done by then.
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !views(session, rows).history().isEmpty());
    TableView start = views(session, rows).requireTable();
    assertThat(start.policy()).isEqualTo("share");
    assertThat(start.placement()).isEqualTo("heat");

    rows.read(0, HOT);
    TableView memory = views(session, rows).requireTable();
    assertThat(memory.readsMemory() - start.readsMemory()).isEqualTo(HOT);
    assertThat(memory.readsFast() + memory.readsSlow()).isZero();

    for (int i = 0; i < 40; i++) {
      rows.read(0, HOT);
    }
    // The hottest of all; sampled, so read often enough to be all but sure to be seen.
    for (int i = 0; i < 400; i++) {
      rows.read(7, 8);
    }
    Tiered.flush(node, rows.table());
    Tiered.compact(node, rows.table());
    TableView sorted = views(session, rows).requireTable();
    rows.read(0, HOT);
    TableView fast = views(session, rows).requireTable();
    assertThat(fast.readsFast() - sorted.readsFast())
        .as("fast reads from %s to %s", sorted, fast)
        .isEqualTo(HOT);
    assertThat(fast.readsSlow()).isEqualTo(sorted.readsSlow());
    assertThat(fast.readsMemory()).isEqualTo(sorted.readsMemory());

    rows.read(ROWS - 10, ROWS);
    TableView slow = views(session, rows).requireTable();
    assertThat(slow.readsSlow() - fast.readsSlow()).isEqualTo(10);
    assertThat(slow.readsFast()).isEqualTo(fast.readsFast());
    assertThat(slow.readsMemory()).isEqualTo(fast.readsMemory());
    assertThat(fast.fastShareSince(sorted)).isEqualTo(1);
    assertThat(slow.fastShareSince(fast)).isZero();

    List<HotKey> hottest = views(session, rows).hottest(5);
    assertThat(hottest.get(0).key()).isEqualTo("7");
    assertThat(hottest.get(0).tier()).isEqualTo("fast");
    assertThat(hottest.get(0).accessShare()).isCloseTo(441.0 / (42 * HOT + 400 + 10), within(0.15));
    assertThat(views(session, rows).distribution()).isNotEmpty();
    assertThat(slow.trackedKeys()).isEqualTo(HOT + 10);
    assertThat(slow.hotKeys()).isBetween((long) HOT, (long) HOT + 10);
  }

  private void agreeWithTheDisks(CqlSession session, TieredRows rows) {
    TableFiles files = rows.files().settled();
    TableView table = views(session, rows).requireTable();
    long onFast = bytes(files.filesBelow(node.settings().fast()));
    long onSlow = bytes(files.filesBelow(node.settings().slow()));
    assertThat(table.fastBytes()).isEqualTo(onFast);
    assertThat(table.slowBytes()).isEqualTo(onSlow);
    List<TierView> tiers = views(session, rows).tiers();
    assertThat(tiers).extracting(TierView::tier).containsExactly("fast", "slow");
    assertThat(tiers.get(0).bytes()).isEqualTo(onFast);
    assertThat(tiers.get(0).sstables()).isEqualTo(files.fast().size());
    assertThat(tiers.get(0).partitions()).isEqualTo(HOT);
    assertThat(tiers.get(0).sstableReads()).isEqualTo(HOT);
    assertThat(tiers.get(1).bytes()).isEqualTo(onSlow);
    assertThat(tiers.get(1).sstables()).isEqualTo(files.slow().size());
    assertThat(tiers.get(1).partitions()).isEqualTo(ROWS - HOT);
    assertThat(tiers.get(1).sstableReads()).isEqualTo(10);
  }

  private void countWhatTheTableSays(CqlSession session) {
    TieredRows rows =
        new TieredRows(node, session, "counted", Tiered.onRequest("heat_counts", "reads"));
    rows.write(0, 40);
    assertThat(trackedKeys(session, rows)).isZero();
    rows.read(0, 5);
    assertThat(trackedKeys(session, rows)).isEqualTo(5);

    count(session, rows, "writes");
    rows.read(5, 10);
    assertThat(trackedKeys(session, rows)).isEqualTo(5);
    rows.write(10, 13);
    assertThat(trackedKeys(session, rows)).isEqualTo(5 + 3);

    count(session, rows, "both");
    rows.read(20, 22);
    rows.write(30, 37);
    assertThat(trackedKeys(session, rows)).isEqualTo(5 + 3 + 2 + 7);
  }

  private static void count(CqlSession session, TieredRows rows, String accesses) {
    session.execute(
        "ALTER TABLE "
            + rows.qualified()
            + " WITH compaction = "
            + Tiered.onRequest("heat_counts", accesses));
  }

  private long trackedKeys(CqlSession session, TieredRows rows) {
    return views(session, rows).requireTable().trackedKeys();
  }

  private void knowTooLittle(CqlSession session) throws IOException {
    assertThat(Doctor.examine(node))
        .filteredOn(finding -> finding.subject().equals("heat"))
        .extracting(Finding::level)
        .containsExactly(Finding.Level.OK);
    TieredRows rows =
        new TieredRows(node, session, "little", Tiered.onRequest("heat_capacity", "1"));
    rows.write(0, ROWS);
    Tiered.flush(node, rows.table());
    String host = node.settings().address();
    double share =
        KnownHeat.of(session, host, node.settings().nativePort()).stream()
            .filter(known -> known.table().equals(rows.qualified()))
            .findFirst()
            .orElseThrow()
            .share();
    assertThat(share).isPositive().isLessThan(0.02);
    try (NodeJmx jmx = node.jmx()) {
      assertThat((Double) jmx.attribute(bean(rows, "KnownHeatShare"), "Value")).isLessThan(0.02);
      assertThat(gauge(jmx, rows, "HeatMemoryBytes")).isPositive();
    }
    assertThat(Doctor.examine(node))
        .filteredOn(finding -> finding.level() == Finding.Level.WARN)
        .anySatisfy(
            finding -> assertThat(finding.text()).contains(rows.qualified(), "heat_memory"));
  }

  private static long bytes(Set<Path> files) {
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }

  private void agreeOverJmx(CqlSession session, TieredRows rows) throws IOException {
    TableView view = views(session, rows).requireTable();
    try (NodeJmx jmx = node.jmx()) {
      assertThat(gauge(jmx, rows, "ReadsFast")).isEqualTo(view.readsFast());
      assertThat(gauge(jmx, rows, "ReadsSlow")).isEqualTo(view.readsSlow());
      assertThat(gauge(jmx, rows, "ReadsMemory")).isEqualTo(view.readsMemory());
      assertThat(gauge(jmx, rows, "BytesFast")).isEqualTo(view.fastBytes());
      assertThat(gauge(jmx, rows, "BytesSlow")).isEqualTo(view.slowBytes());
      assertThat(gauge(jmx, rows, "TrackedKeys")).isEqualTo(view.trackedKeys());
      assertThat((Double) jmx.attribute(bean(rows, "FastReadShare"), "Value"))
          .isCloseTo(view.fastShare(), within(1e-9));
      for (String thread : List.of("Maintenance", "Node", "Staging", "Promotion")) {
        Object age = jmx.attribute(NODE_METRIC + thread + "AgeMillis", "Value");
        assertThat((Long) age).as("since the last round of %s", thread).isBetween(0L, 20_000L);
      }
    }
  }

  private void drawPictures(CqlSession session, TieredRows rows) throws IOException {
    KasaneViews views = views(session, rows);
    List<HeatBand> map = views.heatMap();
    assertThat(map.get(0).firstRank()).isEqualTo(1);
    assertThat(map.get(0).fastShare()).as("the hottest row, of %s", map).isEqualTo(1);
    assertThat(map.get(map.size() - 1).lastRank()).isEqualTo(HOT + 10);
    assertThat(map.get(map.size() - 1).slowShare()).as("of %s", map).isPositive();
    // Halved heat is rounded down, that of each row more than that of all.
    assertThat(map.stream().mapToDouble(HeatBand::accessShare).sum()).isBetween(0.9, 1 + 1e-6);

    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> views.history().size() > 2);
    List<Moment> moments = views.history();
    assertThat(moments.get(moments.size() - 1).readsMemory())
        .isGreaterThan(moments.get(0).readsMemory());

    assertThat(views.sizing())
        .extracting(Sizing::remark)
        .containsOnlyOnce(Sizing.TODAY)
        .containsOnlyOnce(Sizing.KNEE);
    // Reads of the last two periods judge a ranking from before; these rows have to be old in it.
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              List<Sizing> sizes = views.sizing();
              assertThat(sizes.get(sizes.size() - 1).readShare()).isBetween(0.9, 1.0);
            });

    Path heat = dir.resolve("heat.png");
    assertThat(kasaneHeat(rows, "--png", heat.toString()))
        .contains("Hottest keys", "Drawn into " + heat);
    assertThat(ImageIO.read(heat.toFile()).getWidth()).isEqualTo(900);
    Path curve = dir.resolve("curve.png");
    assertThat(kasaneHeat(rows, "--curve", "--png", curve.toString()))
        .contains("QUOTA", "HOT ROWS", "today", "knee", "Drawn into " + curve);
    assertThat(ImageIO.read(curve.toFile()).getWidth()).isEqualTo(900);
  }

  private String kasaneHeat(TieredRows rows, String... more) {
    List<String> args =
        new ArrayList<>(List.of("heat", rows.qualified(), "--interval", "0", "--host"));
    args.add(node.settings().address());
    args.addAll(List.of("--port", Integer.toString(node.settings().nativePort())));
    args.addAll(List.of(more));
    StringWriter out = new StringWriter();
    CommandLine kasane = Kasane.commandLine();
    kasane.setOut(new PrintWriter(out, true));
    assertThat(kasane.execute(args.toArray(String[]::new))).isZero();
    return out.toString();
  }

  private static long gauge(NodeJmx jmx, TieredRows rows, String name) throws IOException {
    return ((Number) jmx.attribute(bean(rows, name), "Value")).longValue();
  }

  private static String bean(TieredRows rows, String name) {
    return "org.apache.cassandra.metrics:type=Kasane,keyspace=k,scope="
        + rows.table()
        + ",name="
        + name;
  }

  private void waitUntilHeatIsSaved(TieredRows rows) {
    long now = System.currentTimeMillis();
    rows.read(0, HOT); // what has not changed is not saved again
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> heatFiles(rows).stream().anyMatch(file -> file.toFile().lastModified() > now));
  }

  private List<Path> heatFiles(TieredRows rows) {
    return FilesBelow.of(node.settings().dir().resolve("saved_caches")).stream()
        .filter(file -> file.toString().contains("k." + rows.table() + "-"))
        .toList();
  }

  private void forgetADroppedTable(CqlSession session, TieredRows rows) throws IOException {
    assertThat(heatFiles(rows)).isNotEmpty();
    session.execute("DROP TABLE " + rows.qualified());
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(heatFiles(rows)).isEmpty();
              assertThat(views(session, rows).table()).isEmpty();
            });
    try (NodeJmx jmx = node.jmx()) {
      assertThatThrownBy(() -> jmx.attribute(bean(rows, "ReadsFast"), "Value"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("InstanceNotFound");
    }
  }

  private KasaneViews views(CqlSession session, TieredRows rows) {
    return new KasaneViews(
        session,
        node.settings().address(),
        node.settings().nativePort(),
        Tiered.KEYSPACE,
        rows.table());
  }
}
