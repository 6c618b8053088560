/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the build leaves behind, and the class paths made of it.
 *
 * <pre>
 * lib/cassandra/*.jar   stock Cassandra
 * lib/kasane/*.jar      the server jars: what an operator drops into Cassandra's own lib/
 * lib/cli/*.jar         the command line; never on a node's class path
 * </pre>
 *
 * @param home the directory that holds {@code lib}
 */
public record Distribution(Path home) {
  /** The system property that names the distribution. */
  public static final String HOME_PROPERTY = "kasane.home";

  /**
   * The system property with further jars for nodes with Kasane, separated as in a class path: what
   * experiments compare with, no part of a distribution.
   */
  public static final String JARS_PROPERTY = "kasane.node.jars";

  /** Keeps an absolute path, since nodes outlive the current directory. */
  public Distribution {
    home = home.toAbsolutePath().normalize();
  }

  /** Finds the distribution through the system property {@value #HOME_PROPERTY}. */
  public static Distribution locate() {
    String home = System.getProperty(HOME_PROPERTY);
    if (home == null || home.isBlank()) {
      throw new NodeException(
          "The system property "
              + HOME_PROPERTY
              + " is not set. Start through the script ./kasane, or pass -D"
              + HOME_PROPERTY
              + "=kasane-node/target/dist after 'mvn package'.");
    }
    Distribution distribution = new Distribution(Path.of(home));
    distribution.requireJar("cassandra", "cassandra-all-");
    return distribution;
  }

  /** Returns the directory of stock Cassandra's jars. */
  public Path cassandraLib() {
    return home.resolve("lib/cassandra");
  }

  /** Returns the directory of Kasane's server jars. */
  public Path kasaneLib() {
    return home.resolve("lib/kasane");
  }

  /**
   * Returns the class path of a node. Cassandra's jars come first and by the same name for all
   * nodes, and no directory of classes does: so an archive of its classes fits all of them.
   */
  public String nodeClassPath(boolean withKasane) {
    List<String> entries = new ArrayList<>();
    entries.add(real(cassandraLib()) + "/*");
    if (withKasane) {
      requireJar("kasane", "kasane-host-");
      entries.add(kasaneLib() + "/*");
      entries.addAll(furtherJars());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static List<String> furtherJars() {
    List<String> jars = new ArrayList<>();
    for (String jar : System.getProperty(JARS_PROPERTY, "").split(File.pathSeparator, -1)) {
      if (!jar.isBlank()) {
        if (!Files.isRegularFile(Path.of(jar))) {
          throw new NodeException(
              "The system property "
                  + JARS_PROPERTY
                  + " names "
                  + jar
                  + ", which is not there. Build it with 'mvn package -DskipTests', or leave the"
                  + " property out.");
        }
        jars.add(Path.of(jar).toAbsolutePath().normalize().toString());
      }
    }
    return jars;
  }

  private static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      throw new NodeException("Cannot read " + directory + ": " + e, e);
    }
  }

  /** Returns the jamm jar, which Cassandra needs as a Java agent. */
  public Path jammAgent() {
    return real(requireJar("cassandra", "jamm-"));
  }

  /** Returns the Java launcher that runs nodes: the one that runs this process. */
  public static Path javaLauncher() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  private Path requireJar(String folder, String prefix) {
    Path lib = home.resolve("lib").resolve(folder);
    if (Files.isDirectory(lib)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, prefix + "*.jar")) {
        for (Path jar : jars) {
          return jar;
        }
      } catch (IOException e) {
        throw new NodeException("Cannot list " + lib + ": " + e.getMessage(), e);
      }
    }
    throw new NodeException(
        "No "
            + prefix
            + "*.jar in "
            + lib
            + ". Build the distribution with 'mvn package -DskipTests', or point "
            + HOME_PROPERTY
            + " at one.");
  }
}
