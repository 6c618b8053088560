/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.login.LoginOptions;
import io.kasane.cli.login.TableArgument;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane report}: one page about one table. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Writes one HTML page about a table, as one node sees it: where rows lie by their heat, reads"
          + " from fast over time, what another quota would serve, what Kasane did lately, and what"
          + " to do. The page needs nothing else, and shows no key unless told to."
    })
public final class ReportCommand implements Callable<Integer> {
  private static final int KEYS = 20;

  @Spec private CommandSpec spec;

  @Mixin private TableArgument argument;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "Where the page goes; a file of that name is replaced.")
  private Path out;

  @Option(names = "--keys", description = "Also the hottest keys, as the node shows them.")
  private boolean keys;

  @Mixin private LoginOptions login;

  @Override
  public Integer call() {
    argument.check();
    TableFacts facts;
    try (CqlSession session = login.openNode()) {
      facts =
          TableFacts.of(
              session,
              login.address(),
              login.port(),
              argument.keyspace(),
              argument.table(),
              keys ? KEYS : 0);
    }
    try {
      Files.writeString(out, Page.of(facts));
    } catch (IOException e) {
      throw new NodeException("--out: cannot write " + out + ": " + e, e);
    }
    PrintWriter terminal = spec.commandLine().getOut();
    Advice.of(facts).forEach(terminal::println);
    terminal.println("The page is " + out.toAbsolutePath());
    terminal.flush();
    return 0;
  }
}
