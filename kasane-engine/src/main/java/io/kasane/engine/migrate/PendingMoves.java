/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.sstables.SnapshotCopies;
import java.time.Duration;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * What waits to move into a table's engine, with what is moving just now.
 *
 * @param sstables how many
 * @param bytes of their data
 * @param oldest since when the oldest file is there
 */
public record PendingMoves(int sstables, long bytes, Duration oldest) {
  /** Nothing waits. */
  public static final PendingMoves NONE = new PendingMoves(0, 0, Duration.ZERO);

  /** Returns what waits of one table. Waits for no engine itself. */
  public static PendingMoves of(ColumnFamilyStore table, SnapshotCopies copies) {
    PendingMoves all = NONE;
    long nowMillis = System.currentTimeMillis();
    for (SSTableReader sstable : table.getTracker().getView().select(SSTableSet.LIVE)) {
      if (!copies.isCopy(sstable)) { // of what the engine has
        all = all.plus(new PendingMoves(1, sstable.bytesOnDisk(), age(sstable, nowMillis)));
      }
    }
    return all;
  }

  private static Duration age(SSTableReader sstable, long nowMillis) {
    long createdMillis = sstable.getDataCreationTime(); // 0 if the file has just gone
    return createdMillis == 0
        ? Duration.ZERO
        : Duration.ofMillis(Math.max(0, nowMillis - createdMillis));
  }

  /** Returns both together. */
  public PendingMoves plus(PendingMoves other) {
    return new PendingMoves(
        sstables + other.sstables,
        bytes + other.bytes,
        oldest.compareTo(other.oldest) < 0 ? other.oldest : oldest);
  }
}
