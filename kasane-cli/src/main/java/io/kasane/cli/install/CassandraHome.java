/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where an installed Cassandra has its files.
 *
 * <pre>
 *                     HOME                   jars              settings
 * tarball             where it was unpacked  HOME/lib          HOME/conf
 * container image     /opt/cassandra         HOME/lib          HOME/conf, a link to /etc/cassandra
 * Debian package      /usr/share/cassandra   HOME/lib          /etc/cassandra
 * RPM package         /usr/share/cassandra   HOME/lib          /etc/cassandra/conf
 * </pre>
 *
 * @param home the directory above {@code lib}
 * @param conf the directory of {@code cassandra.yaml}
 * @param version of Cassandra
 */
record CassandraHome(Path home, Path conf, String version) {
  private static final Pattern JAR =
      Pattern.compile("(?:apache-cassandra|cassandra-all)-(\\d+\\.\\d+(?:\\.\\d+)?[^/]*)\\.jar");
  private static final String SUPPORTED_LINE = "5.0";
  private static final String YAML = "cassandra.yaml";

  /**
   * Looks at what is there.
   *
   * @param conf if it is not where packages have it
   */
  static CassandraHome of(Path home, Optional<Path> conf) {
    Path root = home.toAbsolutePath().normalize();
    if (!Files.isDirectory(root.resolve("lib"))) {
      throw new NodeException(
          "--cassandra-home: "
              + root
              + " has no lib directory; name where Cassandra was unpacked, or /usr/share/cassandra"
              + " of a package");
    }
    CassandraHome found = new CassandraHome(root, conf(root, conf), version(root));
    if (!found.version.equals(SUPPORTED_LINE) && !found.version.startsWith(SUPPORTED_LINE + ".")) {
      throw new NodeException(
          "--cassandra-home: "
              + root
              + " is Cassandra "
              + found.version
              + ", but Kasane is for "
              + SUPPORTED_LINE
              + ".x");
    }
    return found;
  }

  private static Path conf(Path root, Optional<Path> named) {
    List<Path> candidates =
        named
            .map(path -> List.of(path.toAbsolutePath().normalize()))
            .orElse(
                List.of(
                    root.resolve("conf"),
                    Path.of("/etc/cassandra/conf"),
                    Path.of("/etc/cassandra")));
    return candidates.stream()
        .filter(path -> Files.isRegularFile(path.resolve(YAML)))
        .findFirst()
        .orElseThrow(
            () ->
                new NodeException(
                    "no " + YAML + " in " + candidates + "; name its directory with --conf"));
  }

  private static String version(Path root) {
    for (Path directory : List.of(root.resolve("lib"), root)) {
      try (Stream<Path> files = Files.list(directory)) {
        Optional<String> version =
            files
                .map(file -> JAR.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst();
        if (version.isPresent()) {
          return version.get();
        }
      } catch (IOException e) {
        throw new NodeException("cannot list " + directory + ": " + e.getMessage(), e);
      }
    }
    throw new NodeException(
        "--cassandra-home: neither "
            + root.resolve("lib")
            + " nor "
            + root
            + " has a jar apache-cassandra-VERSION.jar");
  }

  Path lib() {
    return home.resolve("lib");
  }

  Path cassandraYaml() {
    return conf.resolve(YAML);
  }

  Path kasaneYaml() {
    return conf.resolve("kasane.yaml");
  }

  Path jvmOptions() {
    return conf.resolve("jvm-server.options");
  }

  /** Where data are of which {@code cassandra.yaml} says nothing. */
  Path usualData() {
    return home.resolve("data/data");
  }
}
