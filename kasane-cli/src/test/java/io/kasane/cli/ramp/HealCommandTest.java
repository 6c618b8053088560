/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.cli.Kasane;
import io.kasane.node.NodeException;
import io.kasane.node.Sessions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class HealCommandTest {
  @Test
  void saysWhatItNeeds() {
    refused("give the KEYs of a LostVersionException, or a table with --scan", "shop");
    refused("give the KEYs", "shop", "orders/0x01", "--scan", "orders");
    refused("'orders' is no key; write TABLE/0xPARTITION", "shop", "orders");
    refused("'0x1' in 'orders/0x1' is no blob", "shop", "orders/0x1");
  }

  @Test
  void refusesADriverConfigThatIsNone(@TempDir Path dir) throws IOException {
    Path none = dir.resolve("none.conf");
    assertThatThrownBy(() -> Sessions.open(none))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining(none + " is no file");
    Path broken = Files.writeString(dir.resolve("broken.conf"), "datastax-java-driver { basic {");
    assertThatThrownBy(() -> Sessions.open(broken))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("--driver-config: " + broken);
  }

  @Test
  void saysWhatAClassOfTheApplicationLacks() {
    String[] none = {"shop", "people", "--class-path", "no.jar", "--use", "com.shop.People"};
    failed("verify", "--class-path: no.jar cannot be read", none);
    failed(
        "rebuild", "Missing required option: '--use=CLASS'", "shop", "people", "--class-path", "x");
  }

  @Test
  void saysWhatABackfillNeeds() {
    String[] both = {"shop", "a", "--class-path", ".", "--use", "A", "--verify", "--restart"};
    failed("backfill", "--verify and --restart", both);
    failed(
        "backfill",
        "--rows-per-second: rowsPerSecond is 0, not from 1 to 1000000",
        "shop",
        "a",
        "--class-path",
        ".",
        "--use",
        "A",
        "--rows-per-second",
        "0");
  }

  private static void failed(String command, String words, String... arguments) {
    StringWriter error = new StringWriter();
    CommandLine commandLine = Kasane.commandLine().setErr(new PrintWriter(error));
    String[] all = new String[arguments.length + 2];
    all[0] = "ramp";
    all[1] = command;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    assertThat(commandLine.execute(all)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(error.toString()).contains(words);
  }

  private static void refused(String words, String... arguments) {
    failed("heal", words, arguments);
  }
}
