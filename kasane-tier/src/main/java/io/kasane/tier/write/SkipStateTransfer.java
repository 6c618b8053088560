/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.tier.sstables.InputRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Which rows of a compaction reads leave out of all inputs that hold them: what these hold is on
 * fast, so it would take room there once more, and reads leave it out of the output, too. Used by
 * one thread.
 */
final class SkipStateTransfer {
  private final WrittenTable table;
  private final InputRows rows;
  private final List<SSTableReader> notFollowed;
  private final boolean isOn;

  /**
   * Of a compaction.
   *
   * @param leavesRowsOnSlow false where all rows are to come to fast
   */
  SkipStateTransfer(
      WrittenTable table,
      InputRows rows,
      Collection<SSTableReader> inputs,
      boolean leavesRowsOnSlow) {
    this.table = table;
    this.rows = rows;
    this.notFollowed = inputs.stream().filter(input -> !rows.follows(input)).toList();
    this.isOn =
        leavesRowsOnSlow
            && table.copiesRows()
            && (table.isCache() || !table.leftOut().isHalfFull());
  }

  /** The inputs that hold the row that is written now, if reads leave it out of all; else none. */
  List<Descriptor> sourcesOf(DecoratedKey key) {
    if (!isOn || !table.copiesRows()) {
      return List.of();
    }
    Set<SSTableReader> holders = new HashSet<>(rows.holding(key));
    for (SSTableReader input : notFollowed) {
      if (mayHold(input, key)) {
        holders.add(input);
      }
    }
    List<Descriptor> sources = new ArrayList<>();
    for (SSTableReader holder : holders) {
      if (!table.leftOut().contains(holder.descriptor, key)) {
        return List.of();
      }
      sources.add(holder.descriptor);
    }
    return sources;
  }

  private static boolean mayHold(SSTableReader input, DecoratedKey key) {
    return input.getFirst().compareTo(key) <= 0
        && input.getLast().compareTo(key) >= 0
        && input.mayContainAssumingKeyIsInRange(key);
  }
}
