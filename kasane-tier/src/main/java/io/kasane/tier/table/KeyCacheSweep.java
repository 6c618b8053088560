/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Removes entries of deleted SSTables from Cassandra's key cache. Cassandra's key cache keeps such
 * positions, and copies each to the SSTable that takes the place of the old one. Where SSTables are
 * replaced every few seconds those of the gone ones fill it in minutes, and it has no room for the
 * positions of rows on slow: then a look-up there is a request for the index and one for the row.
 *
 * <p>To walk the cache takes a time that grows with its size, so it is walked once as many rows
 * were replaced as a part of its entries: each replaced row then costs two steps. Thread-safe.
 *
 * @param <K> an entry's key
 * @param <S> identifies an SSTable
 */
public final class KeyCacheSweep<K, S> {
  /** So many SSTables are worth a walk whatever they held. */
  static final int MAX_SSTABLES = 1_000;

  private static final int SHARE = 2; // a walk is two steps for each row that was replaced

  private final IntSupplier entries;
  private final Supplier<Iterator<K>> keys;
  private final Function<K, S> sstableOf;
  private Set<S> gone = new HashSet<>();
  private long goneRows;

  /**
   * Nothing is gone yet.
   *
   * @param entries of the cache
   * @param keys of the cache, which can be removed
   * @param sstableOf the SSTable that an entry is of
   */
  public KeyCacheSweep(IntSupplier entries, Supplier<Iterator<K>> keys, Function<K, S> sstableOf) {
    this.sstableOf = sstableOf;
    this.entries = entries;
    this.keys = keys;
  }

  /**
   * A table has others in the place of an SSTable.
   *
   * @param rows about how many it had
   */
  public synchronized void replaced(S sstable, long rows) {
    gone.add(sstable);
    goneRows += rows;
  }

  /** Called about once a second, by one thread. */
  public void forget() {
    Set<S> stale = stale();
    if (stale.isEmpty()) {
      return;
    }
    for (Iterator<K> all = keys.get(); all.hasNext(); ) {
      if (stale.contains(sstableOf.apply(all.next()))) {
        all.remove();
      }
    }
  }

  private synchronized Set<S> stale() {
    if (goneRows < entries.getAsInt() / SHARE && gone.size() < MAX_SSTABLES) {
      return Set.of();
    }
    Set<S> stale = gone;
    gone = new HashSet<>();
    goneRows = 0;
    return stale;
  }
}
