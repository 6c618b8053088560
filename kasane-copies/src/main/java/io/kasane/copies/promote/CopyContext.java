/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.skipindex.SkippableRows;
import io.kasane.copies.sstables.SharedInputs;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.WriterMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * What copying must know of a table, and what it asks of those who own the fast disk. Thread-safe.
 */
public interface CopyContext {
  ColumnFamilyStore cfs();

  TableDisks disks();

  SkippableRows skippable();

  /** Whether rows that became hot come to fast as copies. */
  boolean copiesRows();

  /** Whether a row is hot, or hotter by now than one that is. */
  boolean belongsOnFast(DecoratedKey key);

  /** Whether a row that was flushed may be copied though nobody has read it, while new rows are. */
  boolean mayCopyUnread(DecoratedKey key);

  /** How many SSTables rows from all over the ring are cut into on fast. */
  int shards();

  /**
   * What an operator allows.
   *
   * @param always whether rows are copied however little that helps
   */
  record Limits(long rowsPerSecond, long bytesPerSecond, boolean always) {}

  Limits limits();

  /** Look-ups in slow SSTables so far. */
  long slowLookUps();

  /** Those that waited for the disk. */
  long slowWaits();

  /** The inputs of a compaction, {@code sstable} among them, from which rows may be copied now. */
  Optional<SharedInputs> sharing(SSTableReader sstable);

  /** A row of {@code sstable} belongs on fast and is too large to be copied. */
  void keptFromCopying(SSTableReader sstable);

  /**
   * A copy begins; it is one of the table's compactions until what is returned is run.
   *
   * @param bytes at most
   */
  Runnable begins(Collection<SSTableReader> sources, long bytes);

  /**
   * Opens a writer to fast.
   *
   * @param sources that the rows are copied from
   * @param ofFlush whether they were flushed just now, so that the room of flushes may be used
   * @param claims what its SSTables say of themselves
   */
  CopyWriter open(List<SSTableReader> sources, boolean ofFlush, WriterMetadata claims);

  /** So many rows were copied. */
  void copied(int rows);
}
