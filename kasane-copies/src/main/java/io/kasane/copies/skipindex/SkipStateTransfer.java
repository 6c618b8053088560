/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.sstables.CompactionPositions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Which rows reads skip in all inputs of a compaction that hold them. Their data is on fast
 * already, so they are written to slow, and reads skip them in the output, too. Used by one thread.
 */
public final class SkipStateTransfer {
  private final SkippableRows skippable;
  private final BooleanSupplier copiesRows;
  private final CompactionPositions rows;
  private final List<SSTableReader> notFollowed;
  private final boolean isOn;

  /**
   * Of a compaction.
   *
   * @param rows where its inputs are
   * @param copiesRows whether rows are copied now; asked for each
   * @param leavesRowsOnSlow false where all rows are to come to fast
   */
  public SkipStateTransfer(
      SkippableRows skippable,
      CompactionPositions rows,
      Collection<SSTableReader> inputs,
      BooleanSupplier copiesRows,
      boolean leavesRowsOnSlow) {
    this.skippable = skippable;
    this.copiesRows = copiesRows;
    this.rows = rows;
    this.notFollowed = inputs.stream().filter(input -> !rows.follows(input)).toList();
    this.isOn = leavesRowsOnSlow && copiesRows.getAsBoolean();
  }

  /** The inputs that hold the row that is written now, if reads leave it out of all; else none. */
  public List<Descriptor> sourcesOf(DecoratedKey key) {
    if (!isOn || !copiesRows.getAsBoolean()) {
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
      if (!skippable.contains(holder.descriptor, key)) {
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
