/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import com.google.common.collect.Sets;
import java.util.HashSet;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.CompactionParams;

/**
 * What a compaction may purge, some other SSTables not considered. They count as if they were
 * compacted, too: what overlaps them is considered besides, so that never more is purged than
 * without what they hold.
 */
final class BesideTheDead extends CompactionController {
  private final Set<SSTableReader> inputs;

  /**
   * Of a compaction that begins.
   *
   * @param inputs as they are, should one be taken out of the compaction
   * @param dead SSTables of which everything has expired
   */
  BesideTheDead(
      ColumnFamilyStore cfs, Set<SSTableReader> inputs, Set<SSTableReader> dead, long gcBefore) {
    super(cfs, Sets.union(inputs, dead), gcBefore, null, CompactionParams.TombstoneOption.NONE);
    this.inputs = inputs;
  }

  @Override
  public Set<SSTableReader> getFullyExpiredSSTables() {
    Set<SSTableReader> expired = new HashSet<>(super.getFullyExpiredSSTables());
    expired.retainAll(inputs);
    return expired;
  }
}
