/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.heat.HeatTracker;
import io.kasane.tier.hot.KeyIds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
final class WrittenPositions {
  /** About what the key cache reckons for a position twice over. */
  private static final long BYTES_EACH = 256;

  private record Position(DecoratedKey key, AbstractRowIndexEntry entry) {}

  private final HeatTracker heat;
  private final long most;
  private final Map<Descriptor, List<Position>> waiting = new HashMap<>();
  private long count;

  WrittenPositions(HeatTracker heat) {
    this(heat, CacheService.instance.keyCache.getCapacity() / BYTES_EACH);
  }

  /**
   * None yet.
   *
   * @param most how many may wait
   */
  WrittenPositions(HeatTracker heat, long most) {
    this.heat = heat;
    this.most = most;
  }

  /** A row was appended. */
  void written(Descriptor sstable, DecoratedKey key, AbstractRowIndexEntry entry) {
    if (count < most && heat.heatOf(KeyIds.of(key)) > 0) {
      waiting.computeIfAbsent(sstable, s -> new ArrayList<>()).add(new Position(key, entry));
      count++;
    }
  }

  /** How many wait. */
  long count() {
    return count;
  }

  /** SSTables are complete. */
  void completed(Collection<SSTableReader> sstables) {
    for (SSTableReader sstable : sstables) {
      List<Position> positions = waiting.remove(sstable.descriptor);
      if (positions != null && sstable instanceof KeyCacheSupport<?> cache) {
        positions.forEach(position -> cache.cacheKey(position.key, position.entry));
      }
    }
  }
}
