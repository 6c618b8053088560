/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class KasaneTest {
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
  void shouldListItsCommandsWithoutArguments() {
    assertThat(run()).isZero();
    assertThat(out.toString())
        .contains("up", "down", "status", "nodetool", "heat", "doctor", "ramp", "First steps:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        "down",
        "status",
        "nodetool",
        "heat",
        "doctor",
        "report",
        "grants",
        "install",
        "try",
        "uninstall",
        "ramp"
      })
  void shouldExplainEachCommand(String command) {
    assertThat(run(command, "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: kasane " + command).doesNotContain("${");
  }

  @ParameterizedTest
  @CsvSource({
    "up --fast x, --slow",
    "up --nodes many, --nodes",
    "heat shop, KEYSPACE.TABLE",
    "heat a.b --top 0, --top: 0",
    "sing, sing",
  })
  void shouldRefuseWhatItDoesNotUnderstand(String line, String named) {
    assertThat(run(line.split(" ", -1))).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(named);
  }

  @ParameterizedTest
  @CsvSource({
    "up --nodes 0, nodes: 0",
    "up --heap big, --heap: 'big' is not a size",
    "up --heap 512MB, 'or k, m, g or t (20m)'",
    "up --heap 512, '--heap: ''512B'' is no heap'",
    "up --fast-quota 20MB, --fast-quota: '20MB' is not a size",
    "up --fast-quota 20MB, 'B, KiB, MiB, GiB or TiB (20MiB)'",
  })
  void shouldNameSettingAndValueInOneLine(String line, String message) {
    String[] words = line.split(" ", -1);
    String[] args = java.util.Arrays.copyOf(words, words.length + (words[0].equals("up") ? 2 : 0));
    if (words[0].equals("up")) {
      args[words.length] = "--dir";
      args[words.length + 1] = dir.resolve("cluster").toString();
    }

    assertThat(run(args)).isEqualTo(1);
    assertThat(err.toString()).startsWith("kasane: ").contains(message).doesNotContain("\tat ");
  }

  @Test
  void shouldSayThatNothingWasStartedHere() {
    assertThat(run("down", "--dir", dir.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("No cluster was ever started in " + dir, "kasane up");
  }

  @Test
  void shouldLeaveNodetoolItsOptions() {
    assertThat(run("nodetool", "--dir", dir.toString(), "status", "-r", "--help")).isEqualTo(1);
    assertThat(err.toString()).contains("No cluster was ever started");
  }
}
