/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.NodeSettings;
import io.kasane.node.Ports;
import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.cql.arena.ArenaStore;
import io.kasane.ramp.cql.arena.FirstRounds;
import io.kasane.ramp.cql.arena.RemoteStore;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.store.TableStore;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.server.RdmaMain;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Arenas of the nodes under load: where {@code -Dkasane.ramp.arenas} says, a directory in memory,
 * or nowhere. Each client process reads those of one node, or with {@code -Dkasane.ramp.transport}
 * as {@code tcp}, {@code ucx} or {@code memory} those of all nodes, which a process beside each of
 * them serves.
 */
final class LoadArenas {
  static final String PROPERTY = "kasane.ramp.arenas";
  static final String TRANSPORT = "kasane.ramp.transport";

  private static final String TRANSPORT_HERE = System.getProperty(TRANSPORT, "arena");
  private static final boolean IS_REMOTE = !TRANSPORT_HERE.equals("arena");
  private static final int NODES = 3;
  private static final Duration MAX_WAIT = Duration.ofMillis(200);

  /** One for each node; only the process that starts nodes has them. */
  private static final List<Integer> PORTS =
      IS_REMOTE && System.getProperty("kasane.ramp.client") == null
          ? Ports.freeLoopbackPorts(NODES)
          : List.of();

  /** Less than all keys have room. */
  private static final String BYTES_OF_A_TABLE = "1MiB";

  private static final List<String> KEYSPACES = List.of("killed", "unrepaired", "restored");

  private LoadArenas() {}

  static Optional<Path> directory() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
  }

  private static Path directoryOf(Path all, int node) {
    return all.resolve("node" + node);
  }

  /** Gives a node its arenas, where they are asked for. */
  static void apply(int node, NodeSettings.Builder settings) {
    directory()
        .ifPresent(
            all -> {
              Map<String, Object> tables = new LinkedHashMap<>();
              KEYSPACES.forEach(
                  keyspace -> tables.put(keyspace + "." + LoadKeys.TABLE, BYTES_OF_A_TABLE));
              Map<String, Object> arenas = new LinkedHashMap<>();
              arenas.put("directory", directoryOf(all, node).toString());
              arenas.put("slot", "8KiB");
              arenas.put("tables", tables);
              if (IS_REMOTE) {
                arenas.put("server", addressOf(node));
              }
              settings.withKasane(true).heap("600m").kasaneYaml("arenas", arenas);
            });
  }

  /** The node of that number is another one from now on. */
  static void forget(int node) throws IOException {
    if (directory().isPresent()) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(directoryOf(directory().get(), node))) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
  }

  private static String addressOf(int node) {
    return "127.0.0.1:" + PORTS.get(node - 1);
  }

  // ---- beside the nodes

  /** The processes that serve arenas, in the order of their nodes; none if nobody needs them. */
  static List<Process> startServers() throws IOException {
    List<Process> servers = new ArrayList<>();
    for (int node = 1; node <= PORTS.size() && directory().isPresent(); node++) {
      servers.add(startServer(node));
    }
    return servers;
  }

  /** Ends one as if its host had none, and starts another. */
  static void killServer(List<Process> servers, int node) throws IOException {
    if (!servers.isEmpty()) {
      servers.get(node - 1).destroyForcibly().onExit().join();
      servers.set(node - 1, startServer(node));
    }
  }

  private static Process startServer(int node) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.javaLauncher().toString());
    command.addAll(jvmOptions());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            RdmaMain.class.getName(),
            "--arenas=" + directoryOf(directory().orElseThrow(), node),
            "--listen=" + addressOf(node)));
    if (!TRANSPORT_HERE.equals("tcp")) {
      command.add("--" + TRANSPORT_HERE);
    }
    return new ProcessBuilder(command).inheritIO().start();
  }

  /** What JVMs of clients and servers need to know of the transport. */
  static List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    directory().ifPresent(all -> options.add("-D" + PROPERTY + "=" + all));
    options.add("-D" + TRANSPORT + "=" + TRANSPORT_HERE);
    options.add("-Dkasane.ramp.client=true");
    options.add("-Djava.library.path=" + System.getProperty("java.library.path"));
    return options;
  }

  /** The store over arenas, where they are asked for. */
  static Optional<FirstRounds> over(
      TableStore store, CqlSession cql, String keyspace, int process) {
    return directory().map(all -> over(all, store, cql, keyspace, process));
  }

  private static FirstRounds over(
      Path all, TableStore store, CqlSession cql, String keyspace, int process) {
    SchemaReader schema = new SchemaReader(cql);
    Function<String, CompletionStage<UUID>> ids = table -> schema.tableId(keyspace, table);
    if (!IS_REMOTE) {
      return new ArenaStore(
          store, ids, List.of(directoryOf(all, 1 + process % NODES)), 1, keyspace);
    }
    return new RemoteStore(store, cql, ids, keyspace, remote(), MAX_WAIT);
  }

  private static RemoteTransport remote() {
    RemoteTransport tcp = RemoteTransport.tcp();
    return switch (TRANSPORT_HERE) {
      case "tcp" -> tcp;
      case "ucx" -> tcp.preferringUcx();
      case "memory" -> tcp.preferringMemory();
      default -> throw new IllegalArgumentException(TRANSPORT + ": " + TRANSPORT_HERE);
    };
  }

  /** How many keys had to be asked for. */
  static long asked(ArenaMetrics metrics) {
    return metrics.misses() + metrics.torn() + metrics.silent() + metrics.withoutArena();
  }
}
