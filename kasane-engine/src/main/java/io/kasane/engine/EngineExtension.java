/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine;

import io.kasane.engine.ledger.EngineLedger;
import io.kasane.engine.memtable.EngineMemtable;
import io.kasane.engine.memtable.EngineMemtableContext;
import io.kasane.engine.memtable.MemtableNames;
import io.kasane.engine.memtable.SwitchedMemtables;
import io.kasane.engine.migrate.MigrationService;
import io.kasane.engine.node.EngineSetup;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.sstables.LeftOvers;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.engine.sstables.Truncations;
import io.kasane.engine.view.EngineWatch;
import io.kasane.host.KasaneHost;
import io.kasane.host.NodeExtension;
import io.kasane.host.config.NodeConfig;
import io.kasane.host.refuse.HostException;
import io.kasane.host.route.NodeSeverity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;

/** Starts a node's storage engines with it, if it has any. */
public final class EngineExtension implements NodeExtension {
  // For tests, which have no time.
  private static final String PURGE_PAUSE = "kasane.engine_purge_pause_millis";
  private static final String ORPHAN_PAUSE = "kasane.engine_orphan_pause_millis";
  private static final String MAX_WAIT = "kasane.engine_longest_wait_millis";
  private static final String PATIENCE = "kasane.engine_patience_millis";

  /** The file in the first data directory that names what repairs and streams left over. */
  private static final String LEFT_OVERS = ".kasane-left-overs";

  /** RocksDB replays its log first. An engine that takes longer is out, and the node starts. */
  private static final Duration MAX_OPENING = Duration.ofMinutes(1);

  /** With one, a read that hangs would stop all others. */
  private static final int MIN_READERS = 2;

  /** For {@link java.util.ServiceLoader}. */
  public EngineExtension() {}

  @Override
  public void start(KasaneHost host) {
    List<Path> data =
        Arrays.stream(DatabaseDescriptor.getNonLocalSystemKeyspacesDataFileLocations())
            .map(Path::of)
            .toList();
    EngineLedger ledger = EngineSetup.ledger(data);
    if (!MemtableNames.isInUse()) {
      requireNoRows(ledger);
      return;
    }
    try {
      MemtableNames.check();
    } catch (ConfigurationException e) {
      throw new HostException(e.getMessage(), e);
    }
    int readers = Math.max(MIN_READERS, DatabaseDescriptor.getConcurrentReaders() / 2);
    NodeEngines engines =
        new EngineSetup(host.config(), host.nodeId(), storage(host.config()), readers)
            .engines(MemtableNames.engines(), ledger);
    SnapshotCopies copies = new SnapshotCopies();
    LeftOvers leftOvers = leftOvers(data);
    SwitchedMemtables switchedOut = new SwitchedMemtables();
    Duration patience = millis(PATIENCE, 10_000);
    Truncations truncations = new Truncations(engines, copies, patience, millis(MAX_WAIT, 30_000));
    engines.open(MAX_OPENING);
    host.severity().add(() -> engines.areAllRead() ? 0 : NodeSeverity.OUT);
    EngineMemtable.use(
        new EngineMemtableContext(engines, truncations, copies, leftOvers, switchedOut, patience));
    new MigrationService(
            engines,
            truncations,
            copies,
            leftOvers,
            switchedOut,
            millis(ORPHAN_PAUSE, 600_000),
            millis(PURGE_PAUSE, 600_000))
        .start();
    new EngineWatch(engines, copies).start();
  }

  private static LeftOvers leftOvers(List<Path> data) {
    try {
      return LeftOvers.open(EngineSetup.only(data, LEFT_OVERS));
    } catch (EngineException e) {
      throw new HostException(e.getMessage(), e);
    }
  }

  private static void requireNoRows(EngineLedger ledger) {
    if (!ledger.all().isEmpty()) {
      throw new HostException(
          ledger.all().size()
              + " tables of this node have rows in storage engines, but no memtable of cassandra.yaml"
              + " has the class_name "
              + EngineMemtable.class.getName()
              + ": give it back, with 'default' among them. How to leave engines for good is in"
              + " docs/operate/engines.md");
    }
  }

  private static Path storage(NodeConfig config) {
    String storage = System.getProperty("cassandra.storagedir");
    if (storage == null && config.engineDirectory().isEmpty()) {
      throw new HostException(
          "there is no place for the files of storage engines: name one in kasane.yaml, with "
              + NodeConfig.ENGINE_DIRECTORY);
    }
    return Path.of(storage == null ? "" : storage);
  }

  private static Duration millis(String property, long otherwise) {
    return Duration.ofMillis(Long.getLong(property, otherwise));
  }
}
