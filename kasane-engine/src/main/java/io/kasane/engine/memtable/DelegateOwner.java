/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardBoundaries;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * The {@code Memtable.Owner} of the stock memtable inside a {@link DelegatingMemtable}: passes its
 * calls to the real owner. It asks to be flushed when it is full; the table knows only the one
 * outside.
 */
final class DelegateOwner implements Memtable.Owner {
  private final Memtable.Owner owner;
  private final Memtable outside;

  DelegateOwner(Memtable.Owner owner, Memtable outside) {
    this.owner = owner;
    this.outside = outside;
  }

  @Override
  public Future<CommitLogPosition> signalFlushRequired(
      Memtable memtable, ColumnFamilyStore.FlushReason reason) {
    return owner.signalFlushRequired(outside, reason);
  }

  @Override
  public Memtable getCurrentMemtable() {
    return owner.getCurrentMemtable();
  }

  @Override
  public Iterable<Memtable> getIndexMemtables() {
    return owner.getIndexMemtables();
  }

  @Override
  public ShardBoundaries localRangeSplits(int shardCount) {
    return owner.localRangeSplits(shardCount);
  }
}
