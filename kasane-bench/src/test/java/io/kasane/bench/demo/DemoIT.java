/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small demonstration, start to end, on a real node with Kasane. */
@Tag("node")
class DemoIT {
  @TempDir private Path dir;

  @Test
  void shouldReadNothingWrongAndLeaveNothingBehind() throws Exception {
    DemoSettings settings = new DemoSettings(10_000, 15, 0.99, 5, 3_000, 32, 1);
    StringWriter out = new StringWriter();

    DemoReport report =
        new DemoRun(Distribution.locate(), settings, false, new PrintWriter(out, true)).run();

    assertThat(report.firstProblem()).isNull();
    assertThat(report.passed()).isTrue();
    assertThat(report.fastReadShareEnd()).isPositive();
    assertThat(report.failedOperations()).isZero();
    assertThat(report.fastReadShareForeseen())
        .as("foreseen, when tiering has settled, by those who have seen 15 s")
        .isCloseTo(report.ceiling(), within(0.15));
    String printed = out.toString();
    assertThat(printed).contains("nothing on fast", "wrong 0");
    Path used =
        Path.of(
            printed
                .lines()
                .findFirst()
                .orElseThrow()
                .replaceAll("Starting a node in | \\.\\.\\.", ""));
    assertThat(used.getFileName().toString()).startsWith("kasane-demo");
    assertThat(used).doesNotExist();
    assertThat(
            ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(used.toString())))
        .isEmpty();

    report.write(dir.resolve("report.json"));
    JsonNode json = new ObjectMapper().readTree(Files.readString(dir.resolve("report.json")));
    assertThat(json.get("wrongReads").asLong()).isZero();
    assertThat(json.get("ops").asLong()).isEqualTo(report.ops());
    assertThat(json.get("rows").asInt()).isEqualTo(10_000);

    report.draw(dir.resolve("picture.png"));
    assertThat(ImageIO.read(dir.resolve("picture.png").toFile()).getWidth()).isEqualTo(900);
  }
}
