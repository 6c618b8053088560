/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.backfill.Backfill;
import io.kasane.ramp.cql.backfill.BackfillCheck;
import io.kasane.ramp.cql.backfill.BackfillCounts;
import io.kasane.ramp.cql.backfill.BackfillProgress;
import io.kasane.ramp.protocol.RampException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kasane ramp backfill}: copies a plain table into tables of transactions. */
@Command(
    name = "backfill",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Copies a plain CQL table into tables of transactions, while the application writes to both.",
      "What a transaction wrote stays. Stopped or killed, the same command goes on where it was.",
      "The class of --use is a Function<RampSession, Backfill>. Rebuild indexes and views afterwards."
    })
final class BackfillCommand implements Callable<Integer> {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KEYSPACE", description = "The target's keyspace.")
  private String keyspace;

  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "A target, whose comment says what its clients share.")
  private String table;

  @Mixin private UseOptions use;

  @Option(
      names = "--rows-per-second",
      paramLabel = "N",
      description = "Rows of the source a second, instead of what the class says.")
  private Optional<Integer> rowsPerSecond = Optional.empty();

  @Option(
      names = "--verify",
      description = {
        "Copies nothing, and counts what has neither a value nor a deletion in the target.",
        "Exits with 1 if there is any."
      })
  private boolean verify;

  @Option(names = "--restart", description = "Begins again at the first row.")
  private boolean restart;

  @Mixin private ClusterOptions cluster;

  /** Of the last line that was printed; null before the first. */
  private Duration printed;

  @Override
  public Integer call() {
    if (verify && restart) {
      throw new ParameterException(
          spec.commandLine(),
          "--verify and --restart: a verification always begins anew; give one");
    }
    rowsPerSecond.ifPresent(this::requireRate);
    use.requireReadable();
    try (CqlSession cql = cluster.open();
        RampSession session = RampSession.builder(cql, keyspace).asTable(table).build()) {
      return use.with(
          session,
          Backfill.class,
          backfill -> {
            Backfill paced = rowsPerSecond.map(backfill::withRowsPerSecond).orElse(backfill);
            return verify ? verify(paced, cql, session) : copy(paced, cql, session);
          });
    } catch (RampException e) {
      throw new NodeException(e.getMessage(), e);
    }
  }

  private void requireRate(int rate) {
    try {
      Backfill.requireRowsPerSecond(rate);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--rows-per-second: " + e.getMessage(), e);
    }
  }

  private int copy(Backfill backfill, CqlSession cql, RampSession session) {
    BackfillCounts counts =
        restart
            ? backfill.restart(cql, keyspace, session, this::tell)
            : backfill.run(cql, keyspace, session, this::tell);
    say(
        "%,d rows read, %,d values made of them, %,d written; the others were there, or newer.%n",
        counts.rows(), counts.seeds(), counts.written());
    tellExpiring(counts);
    return 0;
  }

  private int verify(Backfill backfill, CqlSession cql, RampSession session) {
    BackfillCheck check = backfill.verify(cql, session, this::tell);
    say(
        "%,d rows read, %,d values made of them, %,d missing.%n",
        check.counts().rows(), check.counts().seeds(), check.counts().missing());
    check.examples().forEach(seed -> say("  %s%n", seed));
    tellExpiring(check.counts());
    return check.isComplete() ? 0 : 1;
  }

  private void tellExpiring(BackfillCounts counts) {
    if (counts.expiring() > 0) {
      say("%,d rows had a TTL, which their copies have not.%n", counts.expiring());
    }
  }

  private void tell(BackfillProgress progress) {
    if (printed != null
        && progress.share() < 1
        && progress.running().minus(printed).compareTo(BETWEEN_LINES) < 0) {
      return;
    }
    printed = progress.running();
    say(
        "%5.1f %%, %,d rows%s%n",
        100 * progress.share(),
        progress.counts().rows(),
        progress.left().map(left -> ", about " + inWords(left) + " left").orElse(""));
  }

  private static String inWords(Duration left) {
    return String.format(
        "%d:%02d:%02d", left.toHours(), left.toMinutesPart(), left.toSecondsPart());
  }

  private void say(String format, Object... arguments) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(format, arguments);
    out.flush();
  }
}
