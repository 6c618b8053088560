/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.track.HeatTracker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.keycache.KeyCacheSupport;
import org.apache.cassandra.service.CacheService;

/**
 * Puts into the key cache where a flush, compaction or copy wrote rows that were accessed lately.
 * Without that the next read of each asks the disk for a page of the index first. Cassandra does
 * the same at a compaction for rows whose old position was cached, but after a flush for none.
 *
 * <p>Positions wait in memory until their SSTable is complete, since of one that never comes to be
 * they would stay in the cache. Used by one thread.
 */
final class KeyCachePreload {
  /** A position waits in some 200 bytes: all of a run in a fifth of what the key cache may take. */
  private static final long CACHE_BYTES_EACH = 1024;

  private record Position(DecoratedKey key, AbstractRowIndexEntry entry) {}

  private final HeatTracker heat;
  private final long most;
  private final Map<Descriptor, List<Position>> waiting = new HashMap<>();
  private long count;

  KeyCachePreload(ColumnFamilyStore cfs, HeatTracker heat) {
    boolean areCached =
        cfs.metadata().params.caching.cacheKeys()
            && KeyCacheSupport.isSupportedBy(DatabaseDescriptor.getSelectedSSTableFormat());
    this.heat = heat;
    this.most = areCached ? CacheService.instance.keyCache.getCapacity() / CACHE_BYTES_EACH : 0;
  }

  /** A row was appended. */
  void written(Descriptor sstable, DecoratedKey key, AbstractRowIndexEntry entry) {
    if (count < most && heat.heatOf(KeyIds.of(key)) > 0) {
      waiting.computeIfAbsent(sstable, s -> new ArrayList<>()).add(new Position(key, entry));
      count++;
    }
  }

  /** SSTables are complete; null where one is not opened. */
  void completed(Collection<SSTableReader> sstables) {
    for (SSTableReader sstable : sstables) {
      if (sstable instanceof KeyCacheSupport<?> cache) {
        List<Position> positions = waiting.remove(sstable.descriptor);
        if (positions != null) {
          positions.forEach(position -> cache.cacheKey(position.key, position.entry));
        }
      }
    }
  }
}
