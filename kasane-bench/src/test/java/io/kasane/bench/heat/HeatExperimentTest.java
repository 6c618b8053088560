/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment in small leaves what it promises, and what it says is so. */
class HeatExperimentTest {
  private static final HeatScale SCALE =
      new HeatScale("test", 2_000, 40_000, 1_000, 40_000, Duration.ZERO);

  @TempDir private static Path dir;
  private static String text = "";
  private static JsonNode summary;

  @BeforeAll
  static void run() throws IOException {
    List<Source> sources = Sources.named(List.of("zipf-0.90", "uniform", "shift"), SCALE, 1);
    HeatExperiment experiment = new HeatExperiment(sources, 1);
    Facts facts = new Facts("heat", "test", "none", "some", Map.of("cores", "2"), null, "now");
    StringWriter out = new StringWriter();
    experiment.run(
        new ResultFolder(dir.resolve("out"), facts),
        new Progress(new PrintWriter(out), false, experiment.steps(), SCALE.perStep()));
    text = out.toString();
    summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
  }

  private static Stream<JsonNode> results(String source) {
    return StreamSupport.stream(summary.get("systems").spliterator(), false)
        .filter(result -> result.get("source").asText().equals(source));
  }

  private static Stream<JsonNode> results(String source, String policy) {
    return results(source).filter(result -> result.get("policy").asText().equals(policy));
  }

  private static double number(JsonNode result, String field) {
    return result.get(field).asDouble();
  }

  @Test
  void leavesNumbersPagesAndPictures() throws IOException {
    assertThat(summary.get("experiment").asText()).isEqualTo("heat");
    assertThat(summary.get("scale").asText()).isEqualTo("test");
    assertThat(summary.get("revision").asText()).isEqualTo("some");
    assertThat(summary.has("disks")).isFalse();
    assertThat(summary.get("systems")).hasSize(3 * 5 * 5);
    assertThat(text).contains("[15/15] shift, 20 %");
    assertThat(dir.resolve("out/README.md"))
        .content()
        .contains("| zipf-0.90 | 20 % |", "figures/hits-uniform.png", "## Adaptation")
        .doesNotContain("null", "NaN", "Disks");
    assertThat(Files.readAllLines(dir.resolve("out/raw/results.csv"))).hasSize(1 + 3 * 5 * 5);
    assertThat(Files.readAllLines(dir.resolve("out/raw/shift-10percent.csv"))).hasSize(1 + 200);
    try (var figures = Files.list(dir.resolve("out/figures"))) {
      assertThat(figures).hasSize(3 + 5).allMatch(file -> file.toString().endsWith(".png"));
    }
  }

  @Test
  void uniformKeysAreHitByChance() {
    assertThat(results("uniform"))
        .allSatisfy(
            result ->
                assertThat(number(result, "hitShare"))
                    .as(result.toString())
                    .isCloseTo(number(result, "hotKeysShare"), within(0.01)));
  }

  @Test
  void noPolicyBeatsTheClairvoyantOnAStream() {
    assertThat(results("zipf-0.90"))
        .allSatisfy(
            result -> {
              assertThat(number(result, "clairvoyantShare"))
                  .isGreaterThan(number(result, "onlineShare"));
              assertThat(number(result, "clairvoyantShare"))
                  .isGreaterThan(number(result, "hitShare"));
              assertThat(number(result, "ratio"))
                  .isEqualTo(number(result, "hitShare") / number(result, "onlineShare"));
            });
  }

  @Test
  void budgetIsAsGoodAsExactCounts() {
    assertThat(results("zipf-0.90", "budget"))
        .hasSize(5)
        .allSatisfy(result -> assertThat(number(result, "ratio")).isCloseTo(1, within(0.01)));
  }

  @Test
  void policiesAreComparedAtTheSizeOfTheBudget() {
    assertThat(results("zipf-0.90"))
        .allSatisfy(
            result ->
                assertThat(number(result, "hotKeysShare") / number(result, "budgetShare"))
                    .as(result.toString())
                    .isBetween(0.75, 1.25));
  }

  @Test
  void trackersHoldWhatTheyMay() {
    assertThat(results("zipf-0.90", "budget"))
        .allSatisfy(
            result ->
                assertThat(number(result, "trackedKeys") / number(result, "keys"))
                    .isBetween(0.99, 1.0));
    assertThat(results("zipf-0.90", "budget-2x"))
        .allSatisfy(
            result -> {
              int capacity = 2 * result.get("budgetKeys").asInt();
              assertThat(result.get("capacityKeys").asInt()).isEqualTo(capacity);
              assertThat(result.get("trackedKeys").asInt())
                  .isBetween(capacity / 2, Math.max(4_000, capacity * 5 / 4));
              assertThat(number(result, "bytesPerKey")).isGreaterThan(8);
            });
  }

  @Test
  void theTimeToFindAShiftedSetIsSeen() {
    assertThat(results("shift", "window"))
        .allSatisfy(
            result -> assertThat(result.get("accessesToAdapt").asInt()).isBetween(200, 2_000));
    assertThat(results("shift", "budget"))
        .anySatisfy(
            result -> {
              assertThat(result.get("accessesToAdapt").asInt()).isBetween(5_000, 20_000);
              assertThat(result.get("onlineAccessesToAdapt").asInt()).isBetween(5_000, 20_000);
            });
    assertThat(results("zipf-0.90"))
        .allSatisfy(result -> assertThat(result.get("accessesToAdapt").isNull()).isTrue());
  }
}
