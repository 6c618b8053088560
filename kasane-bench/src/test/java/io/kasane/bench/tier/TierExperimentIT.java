/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.TrialFolder;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, on real nodes over modelled disks, leaves what it promises. */
@Tag("node")
@Tag("long")
class TierExperimentIT {
  private static final double SKEW = 0.99;

  @TempDir private Path dir;

  @Test
  void shouldLeaveNumbersAndPictures() throws Exception {
    requireNumbersAndPictures("zipf", Mix.HALF, 2);
  }

  @Test
  void shouldLeaveNumbersAndPicturesOfBothLaws() throws Exception {
    requireNumbersAndPictures(null, null, 4);
  }

  private void requireNumbersAndPictures(String keys, Mix mix, int trials) throws Exception {
    TierScale scale = new TierScale("test", 5_000, Duration.ofSeconds(6), 0, 8, false);
    ModelRig rig = new ModelRig(scale.faster());
    Distribution distribution = Distribution.locate();
    Facts facts = Facts.now("tier", "test", "none", distribution, rig.describe());
    TrialFolder folder = new TrialFolder(dir.resolve("out"), facts);
    StringWriter text = new StringWriter();
    Set<String> only = Set.of("stock", "oracle");
    TierExperiment experiment = new TierExperiment(scale, rig, 1, only, keys, mix, Map.of());
    Progress progress =
        new Progress(new PrintWriter(text), false, experiment.plan().size(), Duration.ofMinutes(1));

    experiment.run(distribution, rig.open(dir.resolve("work")), folder, progress);

    JsonNode summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
    Map<String, JsonNode> systems = new HashMap<>();
    for (JsonNode system : summary.get("systems")) {
      assertThat(system.get("wrongReads").asLong()).as(system.toString()).isZero();
      assertThat(system.get("failedOperations").asLong()).as(system.toString()).isZero();
      if (system.get("s").asDouble() == SKEW) {
        systems.put(system.get("name").asText(), system);
      }
    }
    JsonNode stock = systems.get("stock");
    JsonNode oracle = systems.get("oracle");
    // Stock reads a row of a disk that serves 8 * 78 requests a second.
    assertThat(stock.get("throughputOps").asDouble()).isPositive();
    assertThat(stock.get("slowReadsPerRead").asDouble()).isGreaterThan(0.2);
    assertThat(oracle.get("fastReadShare").asDouble()).isGreaterThan(0.6);
    assertThat(oracle.get("steadyFirstReadShare").asDouble()).isBetween(0.001, 0.999);
    assertThat(oracle.get("slowReadsPerRead").asDouble())
        .isLessThan(stock.get("slowReadsPerRead").asDouble());
    assertThat(text.toString()).contains("[%1$d/%1$d]".formatted(trials));
    assertThat(dir.resolve("out/README.md")).content().contains("| oracle |", "figures/");
    try (var files = Files.list(dir.resolve("out/trials"))) {
      assertThat(files).hasSize(3 * trials); // .csv, .hlog, .log of each
    }
    try (var figures = Files.list(dir.resolve("out/figures"))) {
      assertThat(figures).hasSizeGreaterThan(4).allMatch(file -> file.toString().endsWith(".png"));
    }
  }
}
