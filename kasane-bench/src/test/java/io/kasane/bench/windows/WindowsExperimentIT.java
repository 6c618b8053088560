/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment on a real node. */
@Tag("node")
@Tag("long")
class WindowsExperimentIT {
  @TempDir private Path dir;

  @Test
  void shouldLeaveNumbersAndPictures() throws Exception {
    WindowsScale scale =
        new WindowsScale("test", 4, Duration.ofSeconds(3), Duration.ofSeconds(3), 200, 100, 4, 8);
    WindowsExperiment experiment = new WindowsExperiment(scale, List.of(WindowsSystem.KASANE), 1);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            dir.resolve("out"), Facts.now("windows", "test", "none", distribution, null));
    StringWriter text = new StringWriter();

    experiment.run(
        distribution,
        dir.resolve("work"),
        folder,
        new Progress(new PrintWriter(text), false, 1, Duration.ofSeconds(20)));

    assertThat(experiment.isRight()).as(text.toString()).isTrue();
    JsonNode kasane =
        new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile()).get("systems").get(0);
    assertThat(kasane.get("readsPerSecond").asDouble()).isPositive();
    assertThat(kasane.get("rowsPerSecond").asDouble()).isBetween(100.0, 300.0);
    assertThat(kasane.get("slowWrittenPerByte").asDouble()).isNotNegative();
    assertThat(kasane.get("failedOperations").asLong()).as(kasane.toString()).isZero();
    assertThat(dir.resolve("out/README.md")).content().contains("| kasane |", "figures/");
    try (var figures = Files.list(dir.resolve("out/figures"))) {
      assertThat(figures).hasSize(2).allMatch(file -> file.toString().endsWith(".png"));
    }
  }
}
