/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.cli.Kasane;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kasane demo}, which the command line finds in this jar. */
class DemoCommandTest {
  @TempDir private Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void pretendADistribution() throws Exception {
    Path lib = Files.createDirectories(dir.resolve("dist/lib/cassandra"));
    Files.createFile(lib.resolve("cassandra-all-5.0.9.jar"));
    System.setProperty("kasane.home", dir.resolve("dist").toString());
  }

  @AfterEach
  void forgetTheDistribution() {
    System.clearProperty("kasane.home");
  }

  private int run(String... args) {
    CommandLine commandLine = Kasane.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }

  @Test
  void shouldBeACommandOfKasane() {
    assertThat(run("demo", "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: kasane demo").doesNotContain("${");
  }

  @ParameterizedTest
  @CsvSource({
    "demo --rows 1, --rows: 1 is outside",
    "demo --seconds 0, --seconds: 0 is outside",
    "demo --skew -1, --skew: -1.0 is outside",
    "demo --ramp --seconds 0, --seconds: 0 is outside",
    "demo --ramp --rows 5000, --rows: has no meaning with --ramp",
    "demo --arena --rows 5000, --rows: has no meaning with --arena",
    "demo --ramp --arena, --arena: has no meaning with --ramp",
  })
  void shouldNameSettingAndValueInOneLine(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err.toString()).startsWith("kasane: ").contains(message).doesNotContain("\tat ");
  }
}
