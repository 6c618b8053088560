/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.node.Kasane;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HealCommandTest {
  @Test
  void saysWhatItNeeds() {
    refused("give the KEYs of a LostVersionException, or a table with --scan", "shop");
    refused("give the KEYs", "shop", "orders/0x01", "--scan", "orders");
    refused("'orders' is no key; write TABLE/0xPARTITION", "shop", "orders");
    refused("'0x1' in 'orders/0x1' is no blob", "shop", "orders/0x1");
  }

  private static void refused(String words, String... arguments) {
    StringWriter error = new StringWriter();
    CommandLine commandLine = Kasane.commandLine().setErr(new PrintWriter(error));
    String[] all = new String[arguments.length + 2];
    all[0] = "ramp";
    all[1] = "heal";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    assertThat(commandLine.execute(all)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(error.toString()).contains(words);
  }
}
