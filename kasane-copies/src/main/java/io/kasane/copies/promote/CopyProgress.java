/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.host.internals.OlderCassandra;
import java.util.List;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.TimeUUID;

/** How far a copy of rows to fast has come, as Cassandra lists compactions. Thread-safe. */
final class CopyProgress extends CompactionInfo.Holder {
  private final CompactionInfo begun;
  private final long allBytes;
  private volatile long passedBytes;

  CopyProgress(TableMetadata table, TimeUUID id, List<SSTableReader> sources, long allBytes) {
    this.begun =
        OlderCassandra.compactionInfo(table, OperationType.COMPACTION, 0, allBytes, id, sources);
    this.allBytes = allBytes;
  }

  /** Called by the thread that copies. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void passed(long bytes) {
    passedBytes += bytes;
  }

  @Override
  public CompactionInfo getCompactionInfo() {
    return OlderCassandra.progress(begun, Math.min(passedBytes, allBytes), allBytes);
  }

  @Override
  public boolean isGlobal() {
    return false;
  }
}
