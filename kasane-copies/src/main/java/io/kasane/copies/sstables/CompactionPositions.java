/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Which inputs of a compaction hold the row that is written now, exactly and without a look into
 * them: a bloom filter errs for one row in a hundred and input, and its index may lie on a slow
 * disk. Cassandra merges by taking the next row of a scanner only when it has written the last one.
 * Used by the thread that compacts.
 */
public final class CompactionPositions {
  private final MergePositions<SSTableReader, DecoratedKey> holders = new MergePositions<>();

  /** The same scanners; each of one SSTable is followed from now on. */
  public List<ISSTableScanner> follow(Collection<ISSTableScanner> scanners) {
    return scanners.stream().map(this::follow).toList();
  }

  private ISSTableScanner follow(ISSTableScanner scanner) {
    Set<SSTableReader> sstables = scanner.getBackingSSTables();
    if (sstables.size() != 1) {
      return scanner;
    }
    SSTableReader sstable = sstables.iterator().next();
    holders.follow(sstable);
    return new ForwardingScanner(scanner) {
      @Override
      public UnfilteredRowIterator next() {
        UnfilteredRowIterator row = super.next();
        holders.movesTo(sstable, row.partitionKey());
        return row;
      }
    };
  }

  public boolean follows(SSTableReader input) {
    return holders.follows(input);
  }

  /**
   * Those of the followed inputs that hold the row that is written now; to be looked at at once.
   */
  public Set<SSTableReader> holding(DecoratedKey key) {
    return holders.at(key);
  }
}
