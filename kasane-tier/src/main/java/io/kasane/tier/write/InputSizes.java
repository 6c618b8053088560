/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.RowBounds;
import io.kasane.tier.sstables.FastShards;
import java.util.Collection;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** How large the rows of a compaction can be, and over how many shards they spread. */
final class InputSizes {

  /** For less room look-ups on slow are too much. */
  private static final double HUGE_ROW_SHARE = 0.01;

  /** So that what is added to it does not overflow. */
  private static final long MAX_SUM_BYTES = Long.MAX_VALUE / 4;

  private final Collection<SSTableReader> inputs;
  private final long mostRowBytes;

  InputSizes(Collection<SSTableReader> inputs) {
    this.inputs = inputs;
    this.mostRowBytes = mostRowBytes(inputs);
  }

  /** No row of the output is larger. */
  long mostRowBytes() {
    return mostRowBytes;
  }

  /**
   * Whether it is worth to ask how large a row really is where {@link #mostRowBytes} is too much.
   * That costs look-ups on the slow disk, which only few huge rows among small ones are worth: then
   * the bound is far from most rows.
   */
  boolean areUneven(long limitBytes) {
    return mostRowBytes > HUGE_ROW_SHARE * limitBytes;
  }

  boolean isTooLargeToHold(DecoratedKey key) {
    return mostRowBytes > RowBounds.MAX_HELD_BYTES && rowBytes(key) > RowBounds.MAX_HELD_BYTES;
  }

  private static long mostRowBytes(Collection<SSTableReader> inputs) {
    long sum = 0;
    for (SSTableReader input : inputs) {
      long max = input.getEstimatedPartitionSize().max();
      if (max > MAX_SUM_BYTES - sum) {
        return MAX_SUM_BYTES;
      }
      sum += max;
    }
    return sum;
  }

  /** What the inputs hold of a row together; asks their indexes. */
  long rowBytes(DecoratedKey key) {
    long sum = 0;
    for (SSTableReader input : inputs) {
      if (input.getFirst().compareTo(key) > 0 || input.getLast().compareTo(key) < 0) {
        continue;
      }
      long start = input.getPosition(key, SSTableReader.Operator.EQ, false);
      if (start >= 0) {
        long end = input.getPosition(key, SSTableReader.Operator.GT, false);
        sum += (end < 0 ? input.uncompressedLength() : end) - start;
      }
    }
    return sum;
  }

  /** Most compactions of fast SSTables are of one shard: all rows are for one writer. */
  int shards(FastShards shards) {
    int first = shards.count();
    int last = 0;
    for (SSTableReader input : inputs) {
      first = Math.min(first, shards.of(input.getFirst().getToken()));
      last = Math.max(last, shards.of(input.getLast().getToken()));
    }
    return Math.max(1, last - first + 1);
  }
}
