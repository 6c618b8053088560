/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import io.kasane.node.NodeException;
import io.kasane.ramp.cql.RampSession;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A class of the application that opens something of a session. */
final class UseOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--use",
      required = true,
      paramLabel = "CLASS",
      description = {
        "A class of the application that opens what the command works on:",
        "a Function<RampSession, ...> with a constructor that takes nothing."
      })
  private String use;

  @Option(
      names = "--class-path",
      split = ":",
      required = true,
      paramLabel = "JARS",
      description = "The application's jars that the class needs, the library's not among them.")
  private List<Path> classPath = List.of();

  /**
   * Does something with what the class opens, while its jars are open.
   *
   * @param type what the class must open
   */
  <T> int with(RampSession session, Class<T> type, ToIntFunction<T> work) {
    try (URLClassLoader loader = loader()) {
      Object opened = opener(loader, type).apply(session);
      if (!type.isInstance(opened)) {
        throw new ParameterException(
            spec.commandLine(),
            "--use: " + use + " gave " + opened + ", which is no " + type.getSimpleName());
      }
      return work.applyAsInt(type.cast(opened));
    } catch (IOException e) {
      throw new NodeException("cannot read --class-path " + classPath + ": " + e.getMessage(), e);
    }
  }

  /** Throws if the jars cannot be read, before anything else is done. */
  void requireReadable() {
    for (Path path : classPath) {
      if (!path.toFile().canRead()) {
        throw new ParameterException(
            spec.commandLine(), "--class-path: " + path + " cannot be read");
      }
    }
  }

  private URLClassLoader loader() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      urls.add(path.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), UseOptions.class.getClassLoader());
  }

  @SuppressWarnings("unchecked")
  private Function<RampSession, Object> opener(ClassLoader loader, Class<?> type) {
    try {
      Object opener = loader.loadClass(use).getDeclaredConstructor().newInstance();
      if (opener instanceof Function<?, ?> function) {
        return (Function<RampSession, Object>) function;
      }
      throw new ParameterException(
          spec.commandLine(),
          "--use: " + use + " is no Function<RampSession, " + type.getSimpleName() + ">");
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
}
