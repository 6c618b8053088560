/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment on a real node: loaded by flushes, then updated by each write. */
@Tag("node")
@Tag("long")
class EnginesExperimentIT {
  @TempDir private Path dir;

  @Test
  void shouldLeaveNumbersAndPictures() throws Exception {
    EnginesScale scale =
        new EnginesScale("test", 2_000, 2_000, Duration.ofMillis(500), Duration.ofSeconds(1), 1, 8);
    List<EngineSystem> systems = List.of(EngineSystem.ROCKSDB_THROUGH);
    EnginesExperiment experiment =
        new EnginesExperiment(scale, 1, systems, List.of(MemoryKind.FITS), null);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            dir.resolve("out"), Facts.now("engines", "test", "none", distribution, null));
    StringWriter text = new StringWriter();

    experiment.run(
        distribution,
        dir.resolve("work"),
        folder,
        new Progress(new PrintWriter(text), false, experiment.steps(), Duration.ofSeconds(10)));

    assertThat(experiment.isRight()).as(text.toString()).isTrue();
    JsonNode summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
    List<String> seen = new ArrayList<>();
    for (JsonNode cell : summary.get("systems")) {
      String workload = cell.get("workload").asText();
      seen.add(cell.get("name").asText() + " " + workload);
      assertThat(cell.get("memory").asText()).isEqualTo("fits");
      assertThat(cell.get("wrongReads").asLong()).as(cell.toString()).isZero();
      assertThat(cell.get("failedOperations").asLong()).as(cell.toString()).isZero();
      assertThat(cell.get("throughputOps").asDouble()).isPositive();
      assertThat(cell.get("nodeCpuMicrosPerOperation").asDouble()).isPositive();
      assertThat(cell.get("scanSeconds").asDouble()).isPositive();
      // No engine holds 2,000 rows of ten fields of 100 letters in less.
      assertThat(cell.get("diskBytes").asLong()).isGreaterThan(1_000_000);
      boolean reads = !workload.equals("update-only");
      assertThat(cell.has("readMeanMicros")).as(workload).isEqualTo(reads);
      assertThat(cell.has("localReadMeanMicros")).as(workload).isEqualTo(reads);
      boolean writes = !workload.equals("read-only");
      assertThat(cell.has("writeMeanMicros")).as(workload).isEqualTo(writes);
      assertThat(cell.has("localWriteMeanMicros")).as(workload).isEqualTo(writes);
    }
    assertThat(seen)
        .hasSize(experiment.steps())
        .contains("rocksdb-through update-only", "rocksdb-through read-only");
    assertThat(text.toString()).contains("[4/4]");
    assertThat(dir.resolve("out/README.md"))
        .content()
        .contains("| rocksdb-through |", "figures/", "Data beyond memory were not run");
    try (var figures = Files.list(dir.resolve("out/figures"))) {
      assertThat(figures).hasSize(8).allMatch(file -> file.toString().endsWith(".png"));
    }
  }
}
