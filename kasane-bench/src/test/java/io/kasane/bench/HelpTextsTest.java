/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.cli.Kasane;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Of the command line's own commands, and of those that this module adds. */
class HelpTextsTest {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void hear() {
    System.setErr(new PrintStream(said, true, UTF_8));
  }

  @AfterEach
  void hearNoMore() {
    System.setErr(before);
  }

  /** picocli takes texts for formats, and warns above the help of a per cent sign alone. */
  @Test
  void shouldBeFormats() {
    assertThat(usages(Kasane.commandLine())).isGreaterThan(20);
    assertThat(said.toString(UTF_8)).isEmpty();
  }

  private static int usages(CommandLine command) {
    assertThat(command.getUsageMessage()).startsWith("Usage: kasane");
    int usages = 1;
    for (CommandLine each : command.getSubcommands().values()) {
      usages += usages(each);
    }
    return usages;
  }
}
