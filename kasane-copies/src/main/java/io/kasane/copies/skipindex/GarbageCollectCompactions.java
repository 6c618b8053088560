/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.sstables.WatchedScanner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Keeps {@code nodetool garbagecollect} with more than one job from losing a deletion. It rewrites
 * each SSTable alone and leaves a deletion out if another SSTable has the same one. A row on fast
 * and its twin on slow have the same deletions; of two such rewrites at a time, each may count on
 * the other. So from when a second one begins no deletion is left out until all have ended.
 *
 * <p>Cassandra runs these compactions without asking the strategy, but for their scanners: it asks
 * for them after it has chosen which other SSTables to look into, and closes them when the output
 * is live. One that begins just after another has ended may have chosen that one's input; then it
 * holds a reference to it. Thread-safe.
 */
public final class GarbageCollectCompactions {
  private final ColumnFamilyStore cfs;
  private final Set<Object> running = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<SSTableReader> replaced = new ArrayList<>();
  private boolean keepsDeletions;

  /** None is running. */
  GarbageCollectCompactions(ColumnFamilyStore cfs) {
    this.cfs = cfs;
  }

  /** The scanners for what is not a compaction of Kasane; watched if it is one of Cassandra's. */
  public List<ISSTableScanner> watched(
      Collection<SSTableReader> toScan, List<ISSTableScanner> scanners) {
    if (scanners.isEmpty() || !isForACompaction()) {
      return scanners;
    }
    Object one = new Object();
    List<SSTableReader> inputs = List.copyOf(toScan);
    begin(one);
    List<ISSTableScanner> watched = new ArrayList<>(scanners);
    watched.set(0, new WatchedScanner(scanners.get(0), () -> end(one, inputs)));
    return watched;
  }

  /** Repair, too, asks for scanners. */
  private static boolean isForACompaction() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames.anyMatch(
                    frame -> CompactionTask.class.isAssignableFrom(frame.getDeclaringClass())));
  }

  private synchronized void begin(Object one) {
    Set<SSTableReader> live = cfs.getLiveSSTables();
    replaced.removeIf(old -> live.contains(old) || old.selfRef().globalCount() == 0);
    boolean isAlone = running.isEmpty() && replaced.isEmpty();
    running.add(one);
    if (!isAlone && !keepsDeletions && !cfs.getNeverPurgeTombstones()) {
      keepsDeletions = true;
      cfs.setNeverPurgeTombstones(true);
    }
  }

  private synchronized void end(Object one, List<SSTableReader> inputs) {
    running.remove(one);
    replaced.addAll(inputs);
    if (running.isEmpty() && keepsDeletions) {
      keepsDeletions = false;
      cfs.setNeverPurgeTombstones(false);
    }
  }
}
