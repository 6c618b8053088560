/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, on three real nodes. */
@Tag("node")
class RampExperimentIT {
  @TempDir private Path dir;

  @Test
  void shouldCountHalvesOfEverySystem() throws Exception {
    // Few keys, half of the transactions write: halves are what most unguarded reads see.
    Shape crowded = new Shape(20, 100, 8, 0.5, "uniform");
    RampScale scale =
        new RampScale(
            "test",
            List.of(crowded),
            2,
            Duration.ZERO,
            Duration.ofMillis(500),
            Duration.ofMillis(1500),
            8,
            Duration.ofSeconds(30));
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(dir.resolve("out"), Facts.now("ramp", "test", "none", distribution, null));
    RampExperiment experiment = new RampExperiment(scale, 1, Systems.NAMES);
    StringWriter told = new StringWriter();
    Progress progress = new Progress(new PrintWriter(told), false, 10, Duration.ofSeconds(5));

    try (RampCluster cluster =
        RampCluster.start(distribution, dir.resolve("nodes"), RampScale.NODES)) {
      experiment.run(cluster, folder, progress);
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
    }
    assertThat(systems).containsOnlyKeys(Systems.NAMES);
    long unguarded =
        systems.get("none").get("fracturedReads").asLong()
            + systems.get("logged-batch").get("fracturedReads").asLong();
    assertThat(unguarded).as(told.toString()).isPositive();
    assertThat(systems.get("ramp-small").get("secondRoundShare").asDouble()).isEqualTo(1);
    assertThat(systems.get("ramp-fast").get("roundsPerRead").asDouble()).isBetween(1.0, 3.0);
    assertThat(experiment.isRight()).isTrue();
    assertThat(dir.resolve("out/README.md")).content().contains("| ramp-hybrid |", "halves.png");
  }
}
