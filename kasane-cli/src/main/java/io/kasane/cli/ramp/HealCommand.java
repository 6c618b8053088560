/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.heal.Healing;
import io.kasane.ramp.cql.heal.KeyText;
import io.kasane.ramp.cql.heal.LossScan;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kasane ramp heal}: makes keys readable again after storage lost a part of what it had. */
@Command(
    name = "heal",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes keys readable again after storage lost a part of a transaction.",
      "Reads the given keys together, or those of each transaction that a table shows, and rewrites"
          + " what is left of each transaction that lost versions as one of its own, unless it was"
          + " overwritten. What is lost stays lost. All replicas must be up."
    })
public final class HealCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KEYSPACE", description = "The keyspace.")
  private String keyspace;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "KEY",
      description = {
        "Keys as the LostVersionException prints them, the lost ones and what may be left:",
        "TABLE/0xPARTITION, or TABLE/0xPARTITION/0xITEM for an item of a collection."
      })
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--scan",
      paramLabel = "TABLE",
      description = "Goes through this table, and through the siblings of what it shows.")
  private Optional<String> scanned = Optional.empty();

  @Option(names = "--dry-run", description = "Only tells what is lost.")
  private boolean dryRun;

  @Mixin private ClusterOptions cluster;

  @Override
  public Integer call() {
    List<ItemKey> wanted = wanted();
    PrintWriter out = spec.commandLine().getOut();
    try (CqlSession cql = cluster.open();
        RampSession session = RampSession.builder(cql, keyspace).asTable(aTable(wanted)).build()) {
      Healing healing = new Healing(session, !dryRun, (lost, as) -> tell(out, lost, as));
      if (!wanted.isEmpty()) {
        healing.read(wanted);
      }
      scanned.ifPresent(
          table -> tell(out, table, new LossScan(cql, keyspace, healing).scan(table)));
      int lost = healing.lost().size();
      out.printf(
          "%d transaction%s lost versions%s.%n",
          lost, lost == 1 ? "" : "s", lost == 0 || dryRun ? "" : ", all healed");
      out.flush();
      return 0;
    } catch (RampException e) {
      throw new NodeException(e.getMessage(), e);
    }
  }

  /** All tables of a transaction are shared by the same clients. */
  private String aTable(List<ItemKey> wanted) {
    return scanned.orElseGet(() -> wanted.get(0).table());
  }

  private List<ItemKey> wanted() {
    if (keys.isEmpty() == scanned.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give the KEYs of a LostVersionException, or a table with --scan");
    }
    try {
      return keys.stream().map(KeyText::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static void tell(PrintWriter out, LostVersionException lost, Optional<Timestamp> as) {
    out.println("Transaction " + lost.timestamp() + " lost its versions of " + lost.lost() + ".");
    if (as.isPresent()) {
      out.println(
          as.get().equals(lost.timestamp())
              ? "  Nothing is left of it."
              : "  What is left of " + lost.survivors() + " is transaction " + as.get() + " now.");
    }
    out.flush();
  }

  private static void tell(PrintWriter out, String table, LossScan.Result result) {
    out.printf("%s shows %d keys.%n", table, result.keys());
    if (result.unnamed() > 0) {
      out.printf(
          "  %d of them were written in mode SMALL or HYBRID: of those nobody can tell.%n",
          result.unnamed());
    }
    if (result.damaged() > 0) {
      out.printf(
          "  %d of them are damaged: write them again, or scrub and repair the table.%n",
          result.damaged());
    }
  }
}
