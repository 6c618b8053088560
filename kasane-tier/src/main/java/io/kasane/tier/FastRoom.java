/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.Arrays;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** The room on the fast disk that writers of a table leave to others. Thread-safe. */
final class FastRoom {
  static final double FLUSH_SHARE = 0.07;

  private final TableTiers table;

  FastRoom(TableTiers table) {
    this.table = table;
  }

  /** What compactions leave on fast for flushes to use. */
  long ofFlushesBytes() {
    return (long) (FLUSH_SHARE * table.fastLimitBytes());
  }

  /** A shard where fast is so full that just one can be compacted beside the room of flushes. */
  long ofFullShardBytes() {
    return (table.fastLimitBytes() - ofFlushesBytes()) / (table.shards().count() + 1);
  }

  /** The live bytes of the largest shard on fast: what compacting it needs beside it. */
  long ofLargestShardBytes() {
    FastShards shards = table.shards();
    long[] bytes = new long[shards.count()];
    for (SSTableReader sstable : table.cfs().getLiveSSTables()) {
      if (table.tierOf(sstable.descriptor) == Tier.FAST) {
        bytes[shards.of(sstable.getFirst().getToken())] += sstable.bytesOnDisk();
      }
    }
    return Arrays.stream(bytes).max().orElse(0);
  }
}
