/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.TrialFolder;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, on three real nodes with a modelled disk each. */
@Tag("node")
@Tag("long")
class CompactExperimentIT {
  @TempDir private Path dir;

  @Test
  void shouldLeaveNumbersAndPictures() throws Exception {
    CompactScale scale =
        new CompactScale(
            "test",
            5_000,
            Duration.ofSeconds(5),
            Duration.ofSeconds(35),
            8,
            List.of(0.99),
            List.of(0.45));
    ModelRig rig = new ModelRig(scale.faster(), true);
    Distribution distribution = Distribution.locate();
    Facts facts = Facts.now("compact", "test", "none", distribution, rig.describe());
    TrialFolder folder = new TrialFolder(dir.resolve("out"), facts);
    CompactExperiment experiment = new CompactExperiment(scale, rig, 1, Set.of("stock", "k=0.5"));
    Progress progress =
        new Progress(new PrintWriter(new StringWriter()), false, 2, Duration.ofMinutes(1));

    experiment.run(distribution, NodeRoots.in(dir.resolve("work")), folder, progress);

    JsonNode summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
    Map<String, JsonNode> systems = new HashMap<>();
    for (JsonNode system : summary.get("systems")) {
      systems.put(system.get("name").asText(), system);
      assertThat(system.get("wrongReads").asLong()).as(system.toString()).isZero();
      assertThat(system.get("failedOperations").asLong()).as(system.toString()).isZero();
      assertThat(system.get("sstablesPerRead").asDouble()).as(system.toString()).isGreaterThan(1);
      // Stock leaves three SSTables of each of four sizes at most, and the loaded one.
      double most = system.get("name").asText().equals("stock") ? 13 : 9;
      assertThat(system.get("sstablesPerHotKey").asDouble())
          .as(system.toString())
          .isBetween(1.0, most);
      assertThat(system.get("memoryShare").asDouble()).isBetween(0.2, 1.0);
      assertThat(system.get("untouched").asBoolean()).as("the loaded SSTable is kept").isTrue();
    }
    assertThat(systems).containsOnlyKeys("stock", "k=0.5");
    // Compaction may have run in either just before a look, so only much more is wrong.
    assertThat(meanSSTablesOfAHotKey("k=0.5")).isBetween(1.0, 1.5 * meanSSTablesOfAHotKey("stock"));
    assertThat(dir.resolve("out/README.md"))
        .content()
        .contains("| k=0.5 |", "figures/sstables-over-time-s0.99.png");
  }

  /** Of all looks but the first, when nothing has been flushed; the summary has the last third. */
  private double meanSSTablesOfAHotKey(String system) throws IOException {
    Path trial;
    try (Stream<Path> files = Files.list(dir.resolve("out/trials"))) {
      trial =
          files
              .filter(file -> file.getFileName().toString().matches(".*-" + system + "-.*\\.csv"))
              .findAny()
              .orElseThrow();
    }
    List<String> lines = Files.readAllLines(trial);
    int column = List.of(lines.get(0).split(",", -1)).indexOf("sstables_per_hot_key");
    double[] looks =
        lines.stream()
            .skip(1)
            .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
            .filter(Double::isFinite)
            .toArray();
    assertThat(looks).as("looks at " + system).hasSizeGreaterThanOrEqualTo(3);
    return Arrays.stream(looks).skip(1).average().orElseThrow();
  }
}
