/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.read;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;

/**
 * Hears of every write to one table on this node, with all that was written. Called on Cassandra's
 * read and mutation threads: implementations must be thread-safe and must not block.
 */
public interface TableFollower {
  /**
   * An update has reached the memtable: reads see it, and nobody was told yet that it was written.
   * Not called for what comes as SSTables, and not for truncations.
   */
  void onWrite(PartitionUpdate update);

  /** A local single-partition read of {@code key} found something (memtable or SSTables). */
  void onRead(DecoratedKey key);

  /**
   * It has thrown something, of which the write or the read is not to know. It hears nothing more
   * from now on, and cannot know what the table holds.
   */
  void onFailure(Throwable thrown);
}
