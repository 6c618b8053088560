/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.host.internals.OlderCassandra;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.TimeUUID;

/**
 * What Cassandra takes for a compaction while rows move: it can ask to stop. It must be told before
 * SSTables are marked: a truncate that finds some marked, and nobody to stop, does nothing and
 * reports success.
 */
final class RunningMove extends CompactionInfo.Holder implements AutoCloseable {
  private final CompactionInfo info;

  private RunningMove(CompactionInfo info) {
    this.info = info;
  }

  /** Begins one that reads an SSTable. */
  static RunningMove begin(ColumnFamilyStore table, SSTableReader sstable) {
    return begin(table, OperationType.COMPACTION, sstable.onDiskLength(), Set.of(sstable));
  }

  /** Begins one that reads an engine. */
  static RunningMove begin(ColumnFamilyStore table, OperationType type) {
    return begin(table, type, 1, Set.of());
  }

  private static RunningMove begin(
      ColumnFamilyStore table, OperationType type, long bytes, Set<SSTableReader> sstables) {
    RunningMove move =
        new RunningMove(
            OlderCassandra.compactionInfo(
                table.metadata(), type, 0, bytes, TimeUUID.Generator.nextTimeUUID(), sstables));
    CompactionManager.instance.active.beginCompaction(move);
    return move;
  }

  @Override
  public CompactionInfo getCompactionInfo() {
    return info;
  }

  /** A pause of all compactions is meant for it, too. */
  @Override
  public boolean isGlobal() {
    return true;
  }

  @Override
  public void close() {
    CompactionManager.instance.active.finishCompaction(this);
  }
}
