/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.it.node.InstalledNode.Layout;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.StockTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The release's archive, unpacked: into a stock Cassandra with data, and out of it again. */
@Tag("node")
class InstallIT {
  private static final int ROWS = 500;

  /** Of Markdown to a file; the part before the section. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

  @TempDir private Path dir;
  private UnpackedRelease release;

  @Test
  void whatIsInstalledWorksAndWhatIsUninstalledLeavesNothing() throws Exception {
    release = UnpackedRelease.in(dir.resolve("release"));
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir.resolve("nodes"))
            .isolated()
            .each(
                settings ->
                    settings
                        .withKasane(false)
                        .yaml(
                            "data_file_directories",
                            List.of(dir.resolve("nodes/node1/slow").toString())))
            .build();
    LocalNode node = cluster.start().node(1);
    node.stop();
    InstalledNode stock = InstalledNode.unpack(node, dir.resolve("cassandra"), Layout.ARCHIVE);
    Path fast = dir.resolve("nvme/cassandra");
    Map<String, String> before = UnpackedRelease.files(stock.home());
    try {
      try (CqlSession session = stock.start()) {
        load(session);
      }
      stock.stop();

      List<String> install =
          List.of(
              "install",
              "--cassandra-home",
              stock.home().toString(),
              "--fast",
              fast.toString(),
              "--quota",
              "20MiB");
      assertThat(release.kasane(0, with(install, "--dry-run")))
          .contains("+- " + fast, "+fast_quota: 20MiB", "Nothing was changed");
      assertThat(UnpackedRelease.files(stock.home())).isEqualTo(before);
      assertThat(release.kasane(0, install)).contains("has Kasane");
      assertThat(release.kasane(0, install)).contains("Nothing to change");

      try (CqlSession session = stock.start()) {
        assertThat(node.log().contains("Kasane started: fast directories [" + fast + "]")).isTrue();
        tryOnOneNode(node);
        alter(session, "io.kasane.tier.HeatTieredCompactionStrategy");
        requireAll(session);
        StockTools.nodetool(node, "compact", "k");
        List<String> at = List.of("--host", node.settings().address());
        assertThat(release.kasane(0, with(List.of("status"), at)))
            .contains("k.t", "20.0 MiB", fast.toString());
        assertThat(release.kasane(0, with(List.of("doctor"), at))).contains("versions");
        Path page = dir.resolve("page.html");
        assertThat(
                release.kasane(
                    0, with(with(List.of("report", "k.t"), at), "--out", page.toString())))
            .contains("The page is " + page);
        assertThat(page).content().contains("<svg", fast.toString()).doesNotContain("v42");
        assertThat(release.kasane(1, uninstall(stock))).contains("the node runs");
        alter(session, "SizeTieredCompactionStrategy");
        StockTools.nodetool(node, "relocatesstables");
        requireAll(session);
      }
      stock.stop();

      assertThat(release.kasane(0, uninstall(stock))).contains("has no Kasane");
      assertThat(UnpackedRelease.files(stock.home())).isEqualTo(before);
      assertThat(release.kasane(0, uninstall(stock))).contains("Nothing to change");
      try (CqlSession session = stock.start()) {
        requireAll(session);
      }
      stock.stop();
    } finally {
      stock.kill9();
    }
  }

  private void tryOnOneNode(LocalNode node) throws Exception {
    List<String> at = List.of("--host", node.settings().address());
    List<String> attempt =
        with(
            with(List.of("try", "k.t"), at),
            "--jmx-port",
            Integer.toString(node.settings().jmxPort()));
    assertThat(release.kasane(0, attempt)).contains("on this node alone", "--undo");
    assertThat(release.kasane(0, with(List.of("status"), at))).contains("k.t");
    assertThat(release.kasane(0, with(attempt, "--undo")))
        .contains("SizeTieredCompactionStrategy again");
    assertThat(release.kasane(0, with(List.of("status"), at))).contains("No table has heat tiers");
  }

  @Test
  void checksumsAndComponentsAreThere() throws Exception {
    release = UnpackedRelease.in(dir.resolve("release"));
    release.run(0, List.of("sha256sum", "--quiet", "-c", "SHA256SUMS"));
    assertThat(release.kasane(0, List.of("--version"))).contains("kasane 0.");
    assertThat(
            release.kasane(
                0, List.of("doctor", "--fast", dir.toString(), "--slow", dir.toString())))
        .contains("fast directory", "slow space")
        .doesNotContain("ports");
    assertThat(release.directory().resolve("lib/engines")).doesNotExist();
    try (Stream<Path> jars = Files.list(release.directory().resolve("lib/kasane"))) {
      assertThat(jars).hasSize(4);
    }
    assumeTrue(Files.exists(release.directory().resolve("bom.json")), "built without network");
    assertThat(Files.readString(release.directory().resolve("bom.json")))
        .contains("CycloneDX", "kasane-tier", "rocksdbjni", "picocli")
        .doesNotContain("cassandra-all");
  }

  @Test
  void linksOfTheOperatorsPagesLeadSomewhere() throws Exception {
    release = UnpackedRelease.in(dir.resolve("release"));
    Path pages = release.directory().resolve("docs/operate");
    List<String> dead = new ArrayList<>();
    try (Stream<Path> files = Files.list(pages)) {
      for (Path page : files.toList()) {
        LINK.matcher(Files.readString(page))
            .results()
            .map(link -> link.group(1))
            .filter(link -> !link.contains("://") && !Files.exists(pages.resolve(link)))
            .forEach(link -> dead.add(page.getFileName() + ": " + link));
      }
    }
    assertThat(dead).isEmpty();
  }

  private static List<String> uninstall(InstalledNode stock) {
    return List.of("uninstall", "--cassandra-home", stock.home().toString());
  }

  private static List<String> with(List<String> words, String... more) {
    return with(words, List.of(more));
  }

  private static List<String> with(List<String> words, List<String> more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(more);
    return all;
  }

  private static void load(CqlSession session) {
    session.setSchemaMetadataEnabled(false);
    session.execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
    for (int id = 0; id < ROWS; id++) {
      session.execute("INSERT INTO k.t (id, v) VALUES (?, ?)", id, "v" + id);
    }
  }

  private static void requireAll(CqlSession session) {
    for (int id = 0; id < ROWS; id++) {
      assertThat(session.execute("SELECT v FROM k.t WHERE id = ?", id).one().getString("v"))
          .isEqualTo("v" + id);
    }
  }

  private static void alter(CqlSession session, String strategy) {
    session.execute("ALTER TABLE k.t WITH compaction = {'class': '" + strategy + "'}");
  }
}
