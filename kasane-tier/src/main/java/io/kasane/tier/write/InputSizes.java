/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import java.util.Collection;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** How large the rows of a compaction can be. */
final class InputSizes {
  private InputSizes() {}

  /** No row of the output is larger. */
  static long mostRowBytes(Collection<SSTableReader> inputs) {
    long sum = 0;
    for (SSTableReader input : inputs) {
      long max = input.getEstimatedPartitionSize().max();
      if (max > Long.MAX_VALUE / 4 - sum) {
        return Long.MAX_VALUE / 4;
      }
      sum += max;
    }
    return sum;
  }

  /** What the inputs hold of a row together; asks their indexes. */
  static long rowBytes(Collection<SSTableReader> inputs, DecoratedKey key) {
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
}
