/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.WriterMetadata;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What a compaction writes to fast, of rows no larger than its inputs have. Used by one thread. */
final class CompactionFastOutput {
  private final PlacementContext table;
  private final PlacementRun placement;
  private final InputSizes sizes;
  private final long keys;
  private final FastWriter fast;

  /**
   * Nothing is written yet.
   *
   * @param keys of all inputs together
   */
  CompactionFastOutput(
      PlacementContext table,
      PlacementRun placement,
      Collection<SSTableReader> inputs,
      long keys,
      WriterMetadata claims) {
    this.table = table;
    this.placement = placement;
    this.sizes = new InputSizes(inputs);
    this.keys = keys;
    this.fast = new FastWriter(table, placement, false, claims);
  }

  /** Whether there is room on fast for a row. */
  boolean finds(DecoratedKey key) {
    boolean admitted = admits(key);
    if (!admitted) {
      placement.refusedByQuota();
    }
    return admitted;
  }

  boolean isTooLargeToHold(DecoratedKey key) {
    return sizes.isTooLargeToHold(key);
  }

  /** Writes a row that found room. */
  boolean append(UnfilteredRowIterator partition) {
    return fast.append(partition, this::hotKeysOfShard);
  }

  /** The histograms' bound costs nothing, the exact one look-ups. */
  private boolean admits(DecoratedKey key) {
    return fast.admits(key, sizes.mostRowBytes())
        || (sizes.areUneven(table.room().limitBytes()) && fast.admits(key, sizes.rowBytes(key)));
  }

  private long hotKeysOfShard() {
    int shards = sizes.shards(table.room().shards());
    return placement.expectedHotKeys(keys) / shards + 1;
  }

  void finish() {
    fast.finish();
  }

  List<SSTableReader> finished() {
    return fast.finished();
  }

  void replacesMerged() {
    fast.replacesMerged();
  }

  void close() {
    fast.close();
  }
}
