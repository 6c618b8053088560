/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.CompactionParams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of a table's SSTables on fast are copies, and how much lies on fast only. Thread-safe. */
final class FastCopies {
  private static final Logger logger = LoggerFactory.getLogger(FastCopies.class);

  private final ColumnFamilyStore cfs;
  private final FastTier fast;
  private final Set<Object> fastOnlyWriters = ConcurrentHashMap.newKeySet();
  private final Map<Descriptor, Object> committed = new ConcurrentHashMap<>();
  private volatile boolean inDoubt;

  FastCopies(ColumnFamilyStore cfs, FastTier fast) {
    this.cfs = cfs;
    this.fast = fast;
  }

  boolean isCopy(SSTableReader sstable) {
    return !inDoubt && SSTableTemperature.isCopy(sstable, fast.tierOf(sstable.descriptor));
  }

  /** Bytes of live SSTables on fast whose rows may lie nowhere else; not 0 while any is written. */
  long fastOnlyBytes() {
    long written = fastOnlyWriters.isEmpty() ? 0 : 1;
    return written
        + cfs.getLiveSSTables().stream()
            .filter(s -> fast.tierOf(s.descriptor) == Tier.FAST && !isCopy(s))
            .mapToLong(SSTableReader::bytesOnDisk)
            .sum();
  }

  /** A flush or compaction begins that leaves rows on fast only. */
  void writesToFastOnly(Object writer) {
    fastOnlyWriters.add(writer);
  }

  /** The flush's SSTables are complete and soon live. */
  void committed(Object writer, Descriptor one) {
    committed.put(one, writer);
  }

  /**
   * An SSTable of a flush is live.
   *
   * @return whether the flush left rows on fast only
   */
  boolean nowLive(Descriptor sstable) {
    Object writer = committed.remove(sstable);
    if (writer != null) {
      endsWriting(writer);
    }
    return writer != null;
  }

  /** It has ended, well or not. */
  void endsWriting(Object writer) {
    fastOnlyWriters.remove(writer);
  }

  /**
   * Whether copies may go. Not while compactions drop a deletion because another SSTable has the
   * same: it may be the copy that has it.
   */
  boolean mayBeDropped() {
    return cfs.metadata().params.compaction.tombstoneOption()
            == CompactionParams.TombstoneOption.NONE
        && CompactionManager.instance.active.getCompactions().stream()
            .map(CompactionInfo.Holder::getCompactionInfo)
            .noneMatch(
                info ->
                    info.getTaskType() == OperationType.GARBAGE_COLLECT
                        && cfs.metadata().equals(info.getTableMetadata()));
  }

  /** From now on the copies on fast count as SSTables with rows of their own. */
  void revoke() {
    for (SSTableReader sstable : cfs.getLiveSSTables()) {
      if (isCopy(sstable)) {
        try {
          sstable.mutateLevelAndReload(SSTableTemperature.COLD_LEVEL);
        } catch (IOException e) {
          inDoubt = true;
          logger.error("{} may have rows of its own now; could not write so into it", sstable, e);
        }
      }
    }
  }
}
