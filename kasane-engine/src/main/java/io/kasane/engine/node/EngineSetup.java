/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.ledger.EngineLedger;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineServer;
import io.kasane.host.claim.NodeId;
import io.kasane.host.config.EngineServerSettings;
import io.kasane.host.config.EngineSettings;
import io.kasane.host.config.NodeConfig;
import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes a node's engines from its settings. */
public final class EngineSetup {
  /** The file in the first data directory that says which tables have rows in engines. */
  public static final String LEDGER = ".kasane-engines";

  /** An eighth, as outside the heap it is beside Cassandra's own and the page cache. */
  private static final int PART_OF_HEAP = 8;

  /** As of a fast disk: the rest is for what else grows there. */
  private static final double PART_OF_DISK = 0.9;

  /** How long a read may wait for one answer before its engine is out; tests have no time. */
  private static final String MAX_READ = "kasane.engine_longest_read_millis";

  /** Longer than any time-out of Cassandra's for a read: who asked has gone by then. */
  private static final long MAX_READ_MILLIS = 30_000;

  private final NodeConfig config;
  private final NodeId node;
  private final Path storage;
  private final int readers;

  /**
   * Settings of a node.
   *
   * @param node whose the engines' directories are
   * @param storage where Cassandra keeps what no other directory was named for
   * @param readers how many threads may read from one engine at a time
   */
  public EngineSetup(NodeConfig config, NodeId node, Path storage, int readers) {
    this.config = config;
    this.node = node;
    this.storage = storage;
    this.readers = readers;
  }

  /**
   * Reads the ledger, from whichever data directory has it.
   *
   * @param data the data directories, in the order of cassandra.yaml
   * @throws HostException if it cannot be read, or there are two
   */
  public static EngineLedger ledger(List<Path> data) {
    try {
      return EngineLedger.open(only(data, LEDGER));
    } catch (EngineException e) {
      throw new HostException(e.getMessage(), e);
    }
  }

  /**
   * Returns the file of that name, in whichever data directory has it; in the first one if none.
   *
   * @throws HostException if there are two
   */
  public static Path only(List<Path> data, String name) {
    List<Path> found =
        data.stream().map(directory -> directory.resolve(name)).filter(Files::exists).toList();
    if (found.size() > 1) {
      throw new HostException(
          "there are both "
              + found.get(0)
              + " and "
              + found.get(1)
              + ", of this node's storage engines: move away the one that is not this node's");
    }
    return found.isEmpty() ? data.get(0).resolve(name) : found.get(0);
  }

  /**
   * Makes the engines; none is opened yet.
   *
   * @param wanted the names of those that tables may use
   * @throws HostException if there is no jar of one, or its settings cannot be
   */
  public NodeEngines engines(Set<String> wanted, EngineLedger ledger) {
    Map<String, EngineProvider> providers = new TreeMap<>();
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      providers.put(provider.name(), provider);
    }
    Set<String> names = new TreeSet<>(wanted);
    ledger.all().values().forEach(names::addAll);
    ExecutorService threads = Executors.newCachedThreadPool(EngineSetup::daemon);
    Map<String, NodeEngine> engines = new TreeMap<>();
    for (String name : names) {
      EngineProvider provider = providers.get(name);
      if (provider == null) {
        throw new HostException(
            "the storage engine "
                + Refusal.quote(name)
                + (wanted.contains(name)
                    ? ", which a memtable of cassandra.yaml names,"
                    : ", which has rows of this node's tables,")
                + " is not on the class path, where there are "
                + providers.keySet()
                + ": put its jar and its libraries into Cassandra's lib/");
      }
      EngineOptions options = options(name, provider.serverPort());
      engines.put(
          name,
          new NodeEngine(
              provider,
              options,
              new EngineDirectory(options.directory(), node, () -> isMarked(ledger, name)),
              readers,
              Duration.ofMillis(Long.getLong(MAX_READ, MAX_READ_MILLIS)),
              threads,
              tables -> mark(ledger, name, tables)));
    }
    return new NodeEngines(engines, ledger);
  }

  private static boolean isMarked(EngineLedger ledger, String engine) {
    return ledger.all().values().stream().anyMatch(marked -> marked.contains(engine));
  }

  /** What lies in an engine is known from then on, be the ledger new or restored. */
  private static void mark(EngineLedger ledger, String engine, Set<String> tables) {
    List<TableName> names =
        tables.stream().flatMap(name -> TableName.parse(name).stream()).toList();
    names.forEach(name -> ledger.found(name.table(), name.incarnation()));
    for (TableName name : names) {
      if (name.incarnation() == ledger.incarnation(name.table())) {
        ledger.mark(name.table(), engine).close();
      }
    }
  }

  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run, "kasane-engine");
    thread.setDaemon(true);
    return thread;
  }

  private EngineOptions options(String name, int serverPort) {
    Path directory =
        config.engineDirectory().orElseGet(() -> storage.resolve("engines")).resolve(name);
    EngineSettings settings = config.engines().getOrDefault(name, EngineSettings.DEFAULT);
    return new EngineOptions(
        directory,
        settings.capacityBytes().orElseGet(() -> mostOf(directory)),
        settings
            .memoryBytes()
            .orElse(
                Math.max(EngineOptions.MIN_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP)),
        settings.sync() ? Durability.SYNC : Durability.NONE,
        settings.server().map(server -> server(name, server, serverPort)));
  }

  private static EngineServer server(String name, EngineServerSettings server, int defaultPort) {
    if (defaultPort == 0) {
      throw new HostException(
          "kasane.yaml: engines."
              + name
              + ".server is "
              + server.host()
              + ", but "
              + name
              + " has files of its own only; remove 'server'");
    }
    return new EngineServer(
        server.host(),
        server.port().orElse(defaultPort),
        server.database(),
        server.user(),
        server.passwordFile(),
        server.isEncrypted(),
        server.certificates());
  }

  private static long mostOf(Path directory) {
    Path there = directory;
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    try {
      long disk = Files.getFileStore(there).getTotalSpace();
      return Math.max(EngineOptions.MIN_BYTES, (long) (PART_OF_DISK * disk));
    } catch (IOException e) {
      throw new HostException("cannot see how large the disk of " + there + " is: " + e, e);
    }
  }
}
