/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heal;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.Check;
import io.kasane.ramp.cql.use.Checkable;
import io.kasane.ramp.protocol.RampException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  @Option(
      names = "--use",
      required = true,
      paramLabel = "CLASS",
      description = {
        "A class of the application that opens the index, view or foreign key:",
        "a Function<RampSession, Checkable> with a constructor that takes nothing."
      })
  private String use;

  @Option(
      names = "--class-path",
      split = ":",
      required = true,
      paramLabel = "JARS",
      description = "The application's jars that the class needs, the library's not among them.")
  private List<Path> classPath = List.of();

  @Mixin private ClusterOptions cluster;

  /** Goes through them. */
  abstract Check run(Checkable checkable, RampSession session);

  /** What is said of entries that are missing or stale, after their number. */
  abstract String done();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (URLClassLoader loader = loader();
        CqlSession cql = cluster.open();
        RampSession session = RampSession.builder(cql, keyspace).asTable(table).build()) {
      Check check = run(opener(loader).apply(session), session);
      out.printf(
          "%,d rows: %,d entries missing, %,d stale%s; %,d rows unreadable.%n",
          check.rows(), check.missing(), check.stale(), done(), check.unreadable());
      out.flush();
      return isWell(check) ? 0 : 1;
    } catch (RampException e) {
      throw new NodeException(e.getMessage(), e);
    } catch (IOException e) {
      throw new NodeException("cannot read --class-path " + classPath + ": " + e.getMessage(), e);
    }
  }

  /** Whether look-ups find everything now. */
  abstract boolean isWell(Check check);

  private URLClassLoader loader() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      if (!path.toFile().canRead()) {
        throw new ParameterException(
            spec.commandLine(), "--class-path: " + path + " cannot be read");
      }
      urls.add(path.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), CheckCommand.class.getClassLoader());
  }

  @SuppressWarnings("unchecked")
  private Function<RampSession, Checkable> opener(ClassLoader loader) {
    try {
      Object opener = loader.loadClass(use).getDeclaredConstructor().newInstance();
      if (opener instanceof Function<?, ?> function) {
        return (Function<RampSession, Checkable>) function;
      }
      throw new ParameterException(
          spec.commandLine(), "--use: " + use + " is no Function<RampSession, Checkable>");
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ParameterException(
          spec.commandLine(),
          "--use: cannot make a "
              + use
              + " ("
              + e
              + "); it is public, has a public constructor that takes nothing, and lies in"
              + " --class-path with what it needs",
          e);
    }
  }

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
