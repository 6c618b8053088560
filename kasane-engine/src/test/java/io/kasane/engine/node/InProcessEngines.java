/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.contract.OpenedEngine;
import io.kasane.engine.inprocess.MemoryProvider;
import io.kasane.engine.ledger.EngineLedger;
import io.kasane.engine.memtable.EngineMemtable;
import io.kasane.engine.memtable.EngineMemtableContext;
import io.kasane.engine.memtable.SwitchedMemtables;
import io.kasane.engine.sstables.LeftOvers;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.engine.sstables.Truncations;
import io.kasane.host.claim.NodeId;
import io.kasane.host.inprocess.InProcessCassandra;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The engines {@code memory} and {@code other} behind tables of {@link InProcessCassandra}, all of
 * it a test's own: memtables that are made from now on use them. No thread moves anything; tests
 * do.
 */
public final class InProcessEngines implements AutoCloseable {
  private static final Duration MOST = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final int READERS = 4;
  private static final String CLASS = EngineMemtable.class.getName();

  /** Never ended: Cassandra may flush tables of tests that are over. */
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          run -> {
            Thread thread = new Thread(run, "engine-of-test");
            thread.setDaemon(true);
            return thread;
          });

  private final Path root;
  private final MemoryProvider memory = new MemoryProvider();
  private final MemoryProvider other = new MemoryProvider.Other();
  private final List<String> tables = new ArrayList<>();
  private int starts;
  private NodeEngines engines;
  private EngineMemtableContext context;

  private InProcessEngines(Path root) {
    this.root = root;
  }

  /** Opens engines without rows; their ledger lies in {@code root}. */
  public static InProcessEngines open(Path root) {
    InProcessCassandra.start(
        List.of(
            "memtable:",
            "  configurations:",
            "    default: {class_name: " + CLASS + "}",
            "    memory: {class_name: " + CLASS + ", parameters: {engine: memory}}",
            "    other: {class_name: " + CLASS + ", parameters: {engine: other}}"),
        List.of());
    InProcessEngines opened = new InProcessEngines(root);
    opened.start();
    return opened;
  }

  private void start() {
    starts++;
    NodeId node = new NodeId(List.of(root), List.of());
    EngineLedger ledger = EngineLedger.open(root.resolve("ledger"));
    engines =
        new NodeEngines(
            Map.of("memory", engine(memory, node), "other", engine(other, node)), ledger);
    engines.open(MOST);
    SnapshotCopies copies = new SnapshotCopies();
    context =
        new EngineMemtableContext(
            engines,
            new Truncations(engines, copies, PATIENCE, PATIENCE),
            copies,
            LeftOvers.open(root.resolve("left-overs")),
            new SwitchedMemtables(),
            PATIENCE);
    EngineMemtable.use(context);
  }

  private NodeEngine engine(MemoryProvider provider, NodeId node) {
    Path directory = root.resolve("start-" + starts).resolve(provider.name());
    return new NodeEngine(
        provider,
        OpenedEngine.options(directory, CAPACITY_BYTES),
        new EngineDirectory(directory, node, () -> false),
        READERS,
        MOST,
        THREADS,
        found -> {});
  }

  /** As a start of the node finds its tables, engines and ledger; nothing is in memory any more. */
  public void restart() {
    List<ColumnFamilyStore> stores = tables.stream().map(InProcessCassandra::table).toList();
    Keyspace keyspace = stores.get(0).keyspace;
    for (ColumnFamilyStore store : stores) {
      Set<SSTableReader> live = store.getLiveSSTables();
      keyspace.dropCf(store.metadata.id, false);
      live.forEach(sstable -> sstable.selfRef().release());
    }
    engines.engines().forEach(engine -> engine.open().close());
    start();
    stores.forEach(store -> keyspace.initCf(store.metadata, true));
  }

  /** Makes a table on the engine {@code memory}, and returns its name. */
  public String table(String columns, String... options) {
    String name = InProcessCassandra.newName();
    String with = options.length == 0 ? "memtable = 'memory'" : String.join(" AND ", options);
    InProcessCassandra.cql("CREATE TABLE " + name + " (" + columns + ") WITH " + with);
    InProcessCassandra.table(name).disableAutoCompaction();
    tables.add(name);
    return name;
  }

  /** The test has dropped it. */
  public void forget(String table) {
    tables.remove(table);
  }

  /** Returns what an engine has of a table. */
  public StoredTable stored(String table, String engine) {
    TableMetadata metadata = InProcessCassandra.table(table).metadata();
    return engines.of(metadata.id).stream()
        .filter(stored -> stored.engine().name().equals(engine) && stored.isOf(metadata))
        .findFirst()
        .orElseThrow();
  }

  /** Returns how many partitions the engine {@code memory} has of a table. */
  public long partitions(String table) {
    return stored(table, "memory")
        .countPartitions(InProcessCassandra.table(table).metadata(), () -> false);
  }

  /** Returns the live SSTables of a table. */
  public static List<SSTableReader> sstables(String table) {
    return List.copyOf(InProcessCassandra.table(table).getLiveSSTables());
  }

  public MemoryProvider memory() {
    return memory;
  }

  public MemoryProvider other() {
    return other;
  }

  public NodeEngines engines() {
    return engines;
  }

  public EngineMemtableContext context() {
    return context;
  }

  @Override
  public void close() {
    memory.heal();
    other.heal();
  }
}
