/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.collect.LeftoverScan;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.schema.VersionTable;
import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.protocol.RampException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kasane ramp collect}: clears what clients that died left in tables of transactions. */
@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Clears what clients that died left in tables of transactions.",
      "Deletes versions that were replaced, forgets deleted keys after gcGrace, completes"
          + " transactions that were committed in part, and drops those that surely never were."
          + " What is not sure is left and counted. May run while the application does, and may be"
          + " stopped at any time. Run it more often than once in gcGrace.",
      "Exits with 1 if something could not be read or written."
    })
public final class CollectCommand implements Callable<Integer> {
  private static final long NANOS_BETWEEN_WORDS = TimeUnit.SECONDS.toNanos(10);

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KEYSPACE", description = "The keyspace.")
  private String keyspace;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "TABLE",
      description = "Its tables to clear, whose clients share their options (default: all).")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--rows-per-second",
      paramLabel = "N",
      defaultValue = "5000",
      description = "How many rows are read a second at most (default: ${DEFAULT-VALUE}).")
  private long rowsPerSecond;

  @Mixin private ClusterOptions cluster;
  private long lastWordNanos = System.nanoTime();

  @Override
  public Integer call() {
    if (rowsPerSecond < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rows-per-second: " + rowsPerSecond + " is less than 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (CqlSession cql = cluster.open()) {
      List<VersionTable> all =
          new SchemaReader(cql).versionTables(keyspace).toCompletableFuture().join();
      Set<String> cleared = cleared(all);
      try (RampSession session =
              RampSession.builder(cql, keyspace).asTable(cleared.iterator().next()).build();
          Leftovers leftovers = session.leftovers(hintsAreGood(all))) {
        cleared.forEach(table -> session.table(table, Codecs.blob(), Codecs.blob()));
        LeftoverScan scan =
            new LeftoverScan(
                cql, keyspace, leftovers, rowsPerSecond, (table, rows) -> tell(out, table, rows));
        LeftoverCounts counts = scan.run(cleared, others(all, cleared));
        tell(out, scan.rows(), counts);
        return counts.failed() == 0 ? 0 : 1;
      }
    } catch (RampException e) {
      throw new NodeException(e.getMessage(), e);
    }
  }

  private Set<String> cleared(List<VersionTable> all) {
    List<String> names = all.stream().map(VersionTable::name).toList();
    if (names.isEmpty()) {
      throw new NodeException("keyspace " + keyspace + " has no tables of transactions");
    }
    tables.stream()
        .filter(table -> !names.contains(table))
        .findFirst()
        .ifPresent(
            table -> {
              throw new ParameterException(
                  spec.commandLine(),
                  "'" + table + "' is no table of transactions; there are " + names);
            });
    Set<String> cleared = new LinkedHashSet<>(tables.isEmpty() ? names : tables);
    List<String> comments =
        all.stream()
            .filter(table -> cleared.contains(table.name()))
            .map(VersionTable::comment)
            .distinct()
            .toList();
    if (comments.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "name the TABLEs of one kind of clients: what clients share differs, " + comments);
    }
    return cleared;
  }

  private static List<String> others(List<VersionTable> all, Set<String> cleared) {
    return all.stream().map(VersionTable::name).filter(name -> !cleared.contains(name)).toList();
  }

  /** A hint is given to its replica for as long as the table keeps tombstones, and no longer. */
  private static Duration hintsAreGood(List<VersionTable> all) {
    return all.stream()
        .map(VersionTable::gcGrace)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private void tell(PrintWriter out, String table, long rows) {
    if (System.nanoTime() - lastWordNanos > NANOS_BETWEEN_WORDS) {
      lastWordNanos = System.nanoTime();
      out.printf("%,d rows read, now in %s.%n", rows, table);
      out.flush();
    }
  }

  private static void tell(PrintWriter out, long rows, LeftoverCounts counts) {
    out.printf(
        "%,d rows read: %,d versions collected, %,d deleted keys forgotten, %,d transactions"
            + " completed, %,d dropped.%n",
        rows, counts.collected(), counts.purged(), counts.completed(), counts.dropped());
    out.printf(
        "Left: %,d transactions that may still be committed, %,d of which nobody can tell.%n",
        counts.young(), counts.uncertain());
    counts
        .firstFailure()
        .ifPresent(
            why ->
                out.printf(
                    "%,d questions or writes failed, the first with: %s%n", counts.failed(), why));
    out.flush();
  }
}
