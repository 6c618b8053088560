/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies;

import io.kasane.copies.skipindex.FastCopies;
import io.kasane.copies.skipindex.SkippableRows;
import io.kasane.copies.skipindex.SkippableRowsMemory;
import io.kasane.copies.sstables.TableDisks;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What is known of the copies of one table, wired. Thread-safe. */
public final class TableCopies implements AutoCloseable {
  private final SkippableRowsMemory memory;
  private final SkippableRows skippable;
  private final FastCopies fast;

  /**
   * Nothing is known before {@link SkippableRows#restore}.
   *
   * @param memory of the node
   * @param file that keeps it over a restart
   * @param isOurs whether a compaction of Kasane has marked an SSTable
   */
  public TableCopies(
      ColumnFamilyStore cfs,
      TableDisks disks,
      SkippableRowsMemory memory,
      Path file,
      Predicate<SSTableReader> isOurs) {
    this.memory = memory;
    this.skippable = new SkippableRows(cfs, () -> memory.bytesFor(this), file);
    this.fast = new FastCopies(cfs, disks, isOurs, skippable::copies, skippable::sourcesOf);
    memory.add(this, skippable::bytes);
  }

  /** What reads leave out. */
  public SkippableRows skippable() {
    return skippable;
  }

  /** Which SSTables are copies. */
  public FastCopies fast() {
    return fast;
  }

  @Override
  public void close() {
    skippable.close();
    memory.remove(this);
  }
}
