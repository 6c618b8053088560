/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.Check;
import io.kasane.ramp.cql.use.Checkable;
import io.kasane.ramp.protocol.RampException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code kasane ramp verify} and {@code rebuild}: compare rows with the entries of an index, a view
 * or a foreign key. What the entries of a row are, the application's own class says.
 */
abstract class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KEYSPACE", description = "The keyspace.")
  private String keyspace;

  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "A table of theirs, whose comment says what its clients share.")
  private String table;

  @Mixin private UseOptions use;

  @Mixin private ClusterOptions cluster;

  /** Goes through them. */
  abstract Check run(Checkable checkable, RampSession session);

  /** What is said of entries that are missing or stale, after their number. */
  abstract String done();

  @Override
  public Integer call() {
    use.requireReadable();
    try (CqlSession cql = cluster.open();
        RampSession session = RampSession.builder(cql, keyspace).asTable(table).build()) {
      return use.with(session, Checkable.class, checkable -> tell(run(checkable, session)));
    } catch (RampException e) {
      throw new NodeException(e.getMessage(), e);
    }
  }

  private int tell(Check check) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%,d rows: %,d entries missing, %,d stale%s; %,d rows unreadable.%n",
        check.rows(), check.missing(), check.stale(), done(), check.unreadable());
    out.flush();
    return isWell(check) ? 0 : 1;
  }

  /** Whether look-ups find everything now. */
  abstract boolean isWell(Check check);

  /** Changes nothing. */
  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Compares the rows of an index, a view or a foreign key with their entries.",
        "Exits with 1 if look-ups miss rows."
      })
  static final class Verify extends CheckCommand {
    @Override
    Check run(Checkable checkable, RampSession session) {
      return checkable.verify(session);
    }

    @Override
    String done() {
      return "";
    }

    @Override
    boolean isWell(Check check) {
      return check.isComplete();
    }
  }

  /** Mends. */
  @Command(
      name = "rebuild",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Puts the entries that the rows of an index, a view or a foreign key miss.",
        "Heals what cannot be read, and deletes entries that have no row. Changes no row, and may"
            + " run while the application does. All replicas must be up where something was lost."
      })
  static final class Rebuild extends CheckCommand {
    @Override
    Check run(Checkable checkable, RampSession session) {
      return checkable.rebuild(session);
    }

    @Override
    String done() {
      return ", all mended";
    }

    @Override
    boolean isWell(Check check) {
      return check.unreadable() == 0;
    }
  }
}
