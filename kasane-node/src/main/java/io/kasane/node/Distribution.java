/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the build leaves behind, and the class paths made of it.
 *
 * <pre>
 * lib/cassandra/*.jar   stock Cassandra
 * lib/kasane/*.jar      tiers: what an operator drops into Cassandra's own lib/
 * lib/arena/*.jar       the same, for reads of transactions from shared memory
 * lib/engines/*.jar     the same, for storage engines
 * lib/cli/*.jar         the command line; never on a node's class path
 * </pre>
 *
 * @param home the directory that holds {@code lib}
 */
public record Distribution(Path home) {
  /** The system property that names the distribution. */
  public static final String HOME_PROPERTY = "kasane.home";

  /** The system property that names an installed Cassandra, where the distribution has none. */
  public static final String CASSANDRA_PROPERTY = "kasane.cassandra.home";

  /**
   * The system property with further jars for nodes with Kasane, separated as in a class path: what
   * experiments compare with, no part of a distribution.
   */
  public static final String JARS_PROPERTY = "kasane.node.jars";

  /** Keeps an absolute path, since nodes outlive the current directory. */
  public Distribution {
    home = home.toAbsolutePath().normalize();
  }

  /** Finds the distribution, with a Cassandra to run, by the property {@value #HOME_PROPERTY}. */
  public static Distribution locate() {
    Distribution distribution = new Distribution(root());
    distribution.requireCassandra();
    return distribution;
  }

  /** Returns the directory that the property {@value #HOME_PROPERTY} names. */
  public static Path root() {
    String home = System.getProperty(HOME_PROPERTY);
    if (home == null || home.isBlank()) {
      throw new NodeException(
          "The system property "
              + HOME_PROPERTY
              + " is not set. Start through the script ./kasane, or pass -D"
              + HOME_PROPERTY
              + "=kasane-node/target/dist after 'mvn package'.");
    }
    return Path.of(home).toAbsolutePath().normalize();
  }

  /** Returns the directory of stock Cassandra's jars: its own, or that of an installed one. */
  public Path cassandraLib() {
    String installed = System.getProperty(CASSANDRA_PROPERTY, "");
    return installed.isBlank() ? home.resolve("lib/cassandra") : Path.of(installed, "lib");
  }

  private void requireCassandra() {
    Path lib = cassandraLib();
    if (find(lib, "cassandra-all-").or(() -> find(lib, "apache-cassandra-")).isEmpty()) {
      throw new NodeException(
          "No Cassandra in "
              + lib
              + ": set CASSANDRA_HOME to where Cassandra 5.0 was unpacked. In a checkout, build the"
              + " distribution with 'mvn package -DskipTests'.");
    }
  }

  /** Returns the directories of Kasane's server jars. */
  public List<Path> kasaneLibs() {
    return Stream.of("kasane", "arena", "engines").map(home.resolve("lib")::resolve).toList();
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
      kasaneLibs().forEach(lib -> entries.add(lib + "/*"));
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
    return find(cassandraLib(), "jamm-")
        .map(Distribution::real)
        .orElseThrow(() -> new NodeException("No jamm-*.jar in " + cassandraLib() + "."));
  }

  /** Returns the Java launcher that runs nodes: the one that runs this process. */
  public static Path javaLauncher() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  private void requireJar(String folder, String prefix) {
    Path lib = home.resolve("lib").resolve(folder);
    if (find(lib, prefix).isEmpty()) {
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

  private static Optional<Path> find(Path lib, String prefix) {
    if (Files.isDirectory(lib)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, prefix + "*.jar")) {
        for (Path jar : jars) {
          return Optional.of(jar);
        }
      } catch (IOException e) {
        throw new NodeException("Cannot list " + lib + ": " + e.getMessage(), e);
      }
    }
    return Optional.empty();
  }
}
