/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.ramp.demo.RampDemo;
import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.cli.Kasane;
import io.kasane.node.Distribution;
import io.kasane.node.Sessions;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.SecondaryIndex;
import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.History;
import io.kasane.ramp.history.HistoryChecker;
import io.kasane.ramp.history.HistoryReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, on real nodes. */
@Tag("node")
@Tag("pair")
@Tag("long")
class RampExperimentIT {

  @TempDir private Path dir;

  @Test
  void shouldCountHalvesOfEverySystem() throws Exception {
    // Few keys, half of the transactions write: halves are what most unguarded reads see.
    Shape crowded = new Shape(20, 100, 8, 0.5, "uniform", 8);
    RampScale scale =
        new RampScale(
            "test",
            List.of(crowded),
            1,
            Duration.ZERO,
            2,
            Duration.ofMillis(200),
            Duration.ofMillis(600),
            Duration.ofSeconds(30));
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(dir.resolve("out"), Facts.now("ramp", "test", "none", distribution, null));
    RampExperiment experiment = new RampExperiment(scale, 1, Systems.NAMES, true);
    StringWriter told = new StringWriter();
    Progress progress = new Progress(new PrintWriter(told), false, 10, Duration.ofSeconds(5));

    try (RampCluster cluster =
        RampCluster.start(distribution, dir.resolve("nodes"), RampScale.NODES)) {
      experiment.run(cluster, folder, progress);
      requireThatHealingFindsTheCluster(cluster.session());
      requireThatTheDemoShowsNoHalfOfATransaction(cluster);
    }

    JsonNode summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
    Map<String, JsonNode> systems = new HashMap<>();
    for (JsonNode system : summary.get("systems")) {
      systems.put(system.get("name").asText(), system);
      assertThat(system.get("reads").asLong()).as(system.toString()).isPositive();
      assertThat(system.get("writes").asLong()).as(system.toString()).isPositive();
      assertThat(system.get("incompleteReads").asLong()).as(system.toString()).isZero();
      if (Systems.promisesAtomicReads(system.get("name").asText())) {
        assertThat(system.get("fracturedReads").asLong()).as(system.toString()).isZero();
      }
      requireHistory(system);
    }
    assertThat(systems).containsOnlyKeys(Systems.NAMES);
    long unguarded =
        systems.get("none").get("fracturedReads").asLong()
            + systems.get("logged-batch").get("fracturedReads").asLong();
    assertThat(unguarded).as(told.toString()).isPositive();
    assertThat(systems.get("ramp-small").get("secondRoundShare").asDouble()).isEqualTo(1);
    assertThat(systems.get("ramp-fast").get("roundsPerRead").asDouble()).isBetween(1.0, 3.0);
    assertThat(experiment.isRight()).isTrue();
    assertThat(dir.resolve("out/README.md"))
        .content()
        .contains("| ramp-hybrid |", "times that of `none`", "halves.png");
  }

  /** By a configuration of the driver, as where users must log in. */
  private void requireThatHealingFindsTheCluster(CqlSession cql) throws IOException {
    try (RampSession session = RampSession.open(cql, RampCluster.KEYSPACE)) {
      session.put(session.table("kept", Codecs.int32(), Codecs.text()), 1, "one");
    }
    Path config = dir.resolve("driver.conf");
    String node = cql.getMetadata().getNodes().values().iterator().next().getEndPoint().toString();
    Files.writeString(
        config,
        """
        datastax-java-driver.basic {
          contact-points = ["%s"]
          load-balancing-policy.local-datacenter = datacenter1
          request.timeout = 30 s
        }
        """
            .formatted(node.substring(node.indexOf('/') + 1)));
    StringWriter out = new StringWriter();
    String[] heal = {
      "ramp", "heal", RampCluster.KEYSPACE, "kept/0x00000001", "--driver-config", config.toString()
    };

    assertThat(Kasane.commandLine().setOut(new PrintWriter(out)).execute(heal)).isZero();
    assertThat(out.toString()).contains("0 transactions lost versions");
    requireThatAnIndexIsRebuilt(config);
  }

  /** Its table is emptied by other means. */
  private static void requireThatAnIndexIsRebuilt(Path config) {
    try (CqlSession cql = Sessions.open(config);
        RampSession session = RampSession.open(cql, RampCluster.KEYSPACE)) {
      SecondaryIndex<Integer, Integer, Integer> index = new NumbersIndex().apply(session);
      index.put(session, Map.of(1, 10, 2, 10, 3, 20));
      cql.execute("TRUNCATE " + RampCluster.KEYSPACE + "." + NumbersIndex.ENTRIES);
      assertThat(check("verify", config)).startsWith("1: 0 rows: 0 entries missing");
      assertThat(check("rebuild", config)).startsWith("0: 3 rows: 3 entries missing");
      assertThat(check("verify", config)).startsWith("0: 3 rows: 0 entries missing, 0 stale");
      assertThat(index.find(session.newSession(), 10)).containsOnlyKeys(1, 2);
    }
  }

  private static String check(String command, Path config) {
    StringWriter out = new StringWriter();
    int exit =
        Kasane.commandLine()
            .setOut(new PrintWriter(out))
            .execute(
                "ramp",
                command,
                RampCluster.KEYSPACE,
                NumbersIndex.ROWS,
                "--class-path",
                "target/test-classes",
                "--use",
                NumbersIndex.class.getName(),
                "--driver-config",
                config.toString());
    return exit + ": " + out;
  }

  private static void requireThatTheDemoShowsNoHalfOfATransaction(RampCluster cluster)
      throws InterruptedException {
    StringWriter shown = new StringWriter();

    assertThat(RampDemo.run(cluster, Duration.ofSeconds(2), new PrintWriter(shown)))
        .as(shown.toString())
        .isZero();
    assertThat(shown.toString()).contains("both entries read", "halves seen");
  }

  /** What the checker finds in the history is what was counted, and what went before it. */
  private void requireHistory(JsonNode system) throws IOException {
    String name = system.get("name").asText();
    String file = name + "-kind0";
    HistoryReport report =
        HistoryChecker.check(
            History.in(dir.resolve("out/histories"), file),
            EnumSet.of(Anomaly.FRACTURED, Anomaly.THIN_AIR),
            false);
    assertThat(report.count(Anomaly.THIN_AIR)).as(file + ": " + report).isZero();
    long fractured = report.count(Anomaly.FRACTURED);
    assertThat(fractured)
        .as(file + ": " + report)
        .isGreaterThanOrEqualTo(system.get("fracturedReads").asLong());
    if (Systems.promisesAtomicReads(name)) {
      assertThat(fractured).as(file + ": " + report).isZero();
    }
  }
}
