/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The smallest experiments on real nodes of three kinds. */
@Tag("node")
@Tag("cluster")
@Tag("long")
class KindsExperimentIT {
  private static final int RATE = 100;

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({"CLUSTER_MIXED, lsm", "CLUSTER_AT_READERS, lsm", "CLUSTER_SSD_SSD_HDD, hdd"})
  void shouldLeaveNumbersAndPictures(KindsSystem system, String avoided) throws Exception {
    KindsScale scale =
        new KindsScale("test", 1_000, Duration.ofMillis(500), Duration.ofSeconds(2), 4);
    KindsExperiment experiment = new KindsExperiment(scale, 1, List.of(system), RATE);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            dir.resolve("out"), Facts.now("kinds", "test", "none", distribution, null));
    StringWriter text = new StringWriter();

    experiment.run(
        distribution,
        dir.resolve("work"),
        folder,
        new Progress(new PrintWriter(text), false, experiment.steps(), Duration.ofSeconds(10)));

    assertThat(experiment.isRight()).as(text.toString()).isTrue();
    JsonNode systems =
        new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile()).get("systems");
    assertThat(systems).hasSize(experiment.steps());
    for (JsonNode cell : systems) {
      assertThat(cell.get("failedOperations").asLong()).as(cell.toString()).isZero();
      assertThat(cell.get("throughputOps").asDouble()).isPositive();
      if (cell.get("workload").asText().equals("read-only")) {
        assertThat(cell.get("readShareByNode").get(avoided).asDouble())
            .as("reads avoid it: %s", cell)
            .isLessThan(0.05);
      }
    }
    assertThat(text.toString()).contains("[8/8]");
    try (var figures = Files.list(dir.resolve("out/figures"))) {
      assertThat(figures).hasSize(3).allMatch(file -> file.toString().endsWith(".png"));
    }
  }
}
