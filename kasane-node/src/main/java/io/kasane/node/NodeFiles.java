/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one node.
 *
 * <pre>
 * nodeI/
 *   conf/        cassandra.yaml  kasane.yaml  logback.xml  logback-tools.xml  jvm.options
 *                cassandra-rackdc.properties, if a rack was named
 *   logs/        system.log (Cassandra)  stdout.log (the JVM)
 *   slow/ fast/  data, unless they were given elsewhere
 *   commitlog/ hints/ saved_caches/ cdc_raw/
 *   node.pid     while it runs
 * </pre>
 */
final class NodeFiles {
  private final Distribution distribution;
  private final NodeSettings settings;

  NodeFiles(Distribution distribution, NodeSettings settings) {
    this.distribution = distribution;
    this.settings = settings;
  }

  Path conf() {
    return settings.dir().resolve("conf");
  }

  static Path rackFile(Path conf) {
    return conf.resolve("cassandra-rackdc.properties");
  }

  Path jvmOptions() {
    return conf().resolve("jvm.options");
  }

  Path systemLog() {
    return settings.dir().resolve("logs/system.log");
  }

  Path stdoutLog() {
    return settings.dir().resolve("logs/stdout.log");
  }

  Path pidFile() {
    return settings.dir().resolve("node.pid");
  }

  /** Creates the directories and writes the configuration, replacing what is there. */
  void write() {
    for (Path directory :
        List.of(conf(), systemLog().getParent(), settings.slow(), settings.fast())) {
      createDirectory(directory);
    }
    try {
      Files.writeString(conf().resolve("cassandra.yaml"), CassandraYaml.cassandra(settings));
      Files.writeString(conf().resolve("logback.xml"), resource("node-logback.xml"));
      Files.writeString(conf().resolve("logback-tools.xml"), resource("tools-logback.xml"));
      Files.writeString(
          jvmOptions(), JvmOptions.argumentFile(JvmOptions.node(distribution, settings, conf())));
      if (settings.rack().isPresent()) {
        Files.writeString(rackFile(conf()), settings.rack().get().properties());
      }
      Path kasane = conf().resolve("kasane.yaml");
      if (settings.kasane()) {
        Files.writeString(kasane, CassandraYaml.kasane(settings));
      } else {
        Files.deleteIfExists(kasane);
      }
    } catch (IOException e) {
      throw new NodeException("Cannot write the configuration in " + conf() + ": " + e, e);
    }
  }

  private static void createDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new NodeException(
          "Cannot create "
              + directory
              + " ("
              + e
              + "). Choose directories this user may write with --dir, --fast and --slow.",
          e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = NodeFiles.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
