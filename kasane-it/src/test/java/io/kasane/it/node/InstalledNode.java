/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A stock Cassandra as an archive is unpacked or a package installed, and the node that starts from
 * it, with jars and settings on its class path.
 */
final class InstalledNode {
  private final LocalNode node;
  private final Path home;
  private final Path conf;
  private Process process;

  /** Where what is. */
  enum Layout {
    /** {@code lib} and {@code conf} side by side. */
    ARCHIVE,
    /**
     * {@code usr/share/cassandra} with the main jar above {@code lib}, and {@code etc/cassandra}.
     */
    PACKAGE
  }

  private InstalledNode(LocalNode node, Path home, Path conf) {
    this.node = node;
    this.home = home;
    this.conf = conf;
  }

  /**
   * Unpacks one with the settings of a node that ran before.
   *
   * @param node stopped
   * @param root where to
   */
  static InstalledNode unpack(LocalNode node, Path root, Layout layout) throws IOException {
    boolean isPackage = layout == Layout.PACKAGE;
    Path home = isPackage ? root.resolve("usr/share/cassandra") : root;
    Path lib = Files.createDirectories(home.resolve("lib"));
    try (Stream<Path> jars = Files.list(Distribution.locate().cassandraLib())) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString();
        Path directory = isPackage && name.startsWith("cassandra-all") ? home : lib;
        Files.createSymbolicLink(directory.resolve(name), jar.toRealPath());
      }
    }
    Path conf = Files.createDirectories(root.resolve(isPackage ? "etc/cassandra" : "conf"));
    Path of = node.settings().dir().resolve("conf");
    Files.copy(of.resolve("logback.xml"), conf.resolve("logback.xml"));
    String yaml = Files.readString(of.resolve("cassandra.yaml"));
    Files.writeString(
        conf.resolve("cassandra.yaml"),
        "# Settings of ours, in an order of ours.\n\n" + yaml + "\n# The end, without a line feed");
    Files.writeString(
        conf.resolve("jvm-server.options"), "# Flags, one a line\n-ea\n\n# More below\n");
    return new InstalledNode(node, home, conf);
  }

  LocalNode node() {
    return node;
  }

  Path home() {
    return home;
  }

  /** The directory of {@code cassandra.yaml}. */
  Path conf() {
    return conf;
  }

  /** Starts it, and waits until it serves. */
  CqlSession start() throws IOException {
    return start(node::connect);
  }

  /** The same, of a node that not everybody may log in to. */
  CqlSession start(Callable<CqlSession> connect) throws IOException {
    launch();
    return await(connect);
  }

  /** Waits until one that was launched serves. */
  CqlSession await(Callable<CqlSession> connect) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsMatching(
            failure -> failure instanceof NodeException || failure instanceof DriverException)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException(output());
              }
              return connect.call();
            },
            session -> true);
  }

  /** Starts it without waiting, as where the first superuser is made only once others are up. */
  void launch() throws IOException {
    List<String> flags = new ArrayList<>();
    flags.add(Distribution.javaLauncher().toString());
    List<String> of =
        Files.readAllLines(node.settings().dir().resolve("conf/jvm.options")).stream()
            .map(line -> line.substring(1, line.length() - 1))
            .toList();
    // The last two are its class path.
    of.subList(0, of.size() - 2).stream()
        .filter(flag -> !flag.startsWith("-Dcassandra.config="))
        .filter(flag -> !flag.startsWith("-Dlogback."))
        .forEach(flags::add);
    try (Stream<String> lines = Files.lines(conf.resolve("jvm-server.options"))) {
      lines.filter(line -> line.startsWith("-")).forEach(flags::add);
    }
    flags.addAll(List.of("-cp", conf + ":" + home.resolve("lib") + "/*:" + home + "/*"));
    flags.add("org.apache.cassandra.service.CassandraDaemon");
    process =
        new ProcessBuilder(flags)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("out.log").toFile())
            .start();
  }

  /** What it printed since it was started last. */
  String output() throws IOException {
    return Files.readString(home.resolve("out.log"));
  }

  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      kill9();
      throw new IllegalStateException("the node does not stop");
    }
  }

  void kill9() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
