/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.read;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Hears of every single-partition access to one table on this node. Called on Cassandra's read and
 * mutation threads: implementations must be thread-safe and must not block.
 */
public interface TableObserver {

  /** A local single-partition read of {@code key} found something (memtable or SSTables). */
  void onRead(DecoratedKey key);

  /** A mutation of {@code key} reached the memtable. */
  void onWrite(DecoratedKey key);

  /**
   * A read of {@code key} may look into {@code sstable}.
   *
   * @param key the same instance for all SSTables of one read
   * @param listener Cassandra's own listener
   * @return the listener to use instead; it must pass everything on to {@code listener}
   */
  SSTableReadsListener onSSTableRead(
      SSTableReader sstable, DecoratedKey key, SSTableReadsListener listener);

  /**
   * Whether a read of {@code key} may leave {@code sstable} out, because all that it holds of the
   * key is in other SSTables that the same read looks into.
   *
   * @param key the same instance for all SSTables of one read
   */
  boolean isSkippable(SSTableReader sstable, DecoratedKey key);

  /** {@code sstable} took {@code nanos} to find its rows of {@code key}, or that it has none. */
  void onLookUp(SSTableReader sstable, DecoratedKey key, long nanos);
}
