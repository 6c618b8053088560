/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Collection;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Reads filters and indexes of live SSTables safely without a reference to each: nothing is freed
 * while the look goes on. Otherwise a compaction that replaces an SSTable could free its memory and
 * files during the look.
 */
public final class LiveSSTables {
  private LiveSSTables() {}

  /**
   * Looks as a read does: what is live when the look begins stays open until it ends. All that is
   * freed meanwhile on this node waits for it, so a look is one key's, not more.
   *
   * @param key of which SSTables may have something
   * @param look must keep nothing of the SSTables
   */
  public static <T> T look(
      ColumnFamilyStore cfs, DecoratedKey key, Function<Iterable<SSTableReader>, T> look) {
    try (OpOrder.Group keepsFilesOpen = cfs.readOrdering.start()) {
      return look.apply(View.select(SSTableSet.LIVE, key).apply(cfs.getTracker().getView()));
    }
  }

  /** The same, where it is not known whose key is looked for. */
  public static <T> T look(ColumnFamilyStore cfs, Function<Collection<SSTableReader>, T> look) {
    try (OpOrder.Group keepsFilesOpen = cfs.readOrdering.start()) {
      return look.apply(cfs.getLiveSSTables());
    }
  }
}
