/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** Writes rows to fast within a quota. To close it throws away what is not live yet. One thread. */
public interface CopyWriter extends AutoCloseable {
  /** Whether a row of at most {@code boundBytes} may be written. */
  boolean admits(DecoratedKey key, long boundBytes);

  /** A row stays on slow, since it was not admitted. */
  void refused();

  /**
   * Writes a row that was admitted.
   *
   * @param keysOfShard how many rows its SSTable is likely to get; sizes its filter
   * @return false if there was nothing to write
   */
  boolean append(UnfilteredRowIterator partition, LongSupplier keysOfShard);

  /** Completes the SSTables; they are durable and live from here on. */
  void finish();

  /** The SSTables, once they are live. */
  List<SSTableReader> finished();

  @Override
  void close();
}
