/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.tier.sstables.InputRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Which rows of a compaction reads leave out of all inputs that hold them: what these hold is on
 * fast, so it would take room there once more, and reads leave it out of the output, too. Used by
 * one thread.
 */
final class Inheritance {
  private final WrittenTable table;
  private final InputRows rows;
  private final Collection<SSTableReader> inputs;
  private final boolean isOn;

  Inheritance(WrittenTable table, InputRows rows, Collection<SSTableReader> inputs) {
    this.table = table;
    this.rows = rows;
    this.inputs = inputs;
    this.isOn = table.copiesRows() && (table.isCache() || !table.leftOut().isHalfFull());
  }

  /** The inputs that hold the row that is written now, if reads leave it out of all; else none. */
  List<Descriptor> sourcesOf(DecoratedKey key) {
    List<Descriptor> sources = new ArrayList<>();
    if (!isOn || !table.copiesRows()) {
      return sources;
    }
    for (SSTableReader input : inputs) {
      if (rows.mayHold(input, key)) {
        if (!table.leftOut().contains(input.descriptor, key)) {
          return List.of();
        }
        sources.add(input.descriptor);
      }
    }
    return sources;
  }
}
