/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.FastState;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.TimeWindows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * What time takes away from a table with windows: slow SSTables of which everything has expired go
 * as a whole, and rows that are too old leave fast.
 *
 * <p>Cassandra keeps such an SSTable while another one may hold older data that it hides. A copy on
 * fast holds what it was copied from, so it would keep each window that any of its rows is of. The
 * copies are written anew then, without what has expired ({@link #deadBeside}); not before so much
 * waits on slow that it is worth the bytes. Used under the monitor of the strategy.
 */
final class ExpiredWindows {
  /** Of the bytes that have to be written to fast for it: so much waits on slow. */
  private static final double WORTH = 0.5;

  /** So little is written at once. */
  private static final long LITTLE_BYTES = 1 << 20;

  private final ColumnFamilyStore cfs;
  private final Optional<TieredTable> table;
  private final TimeWindows windows;
  private long restedAtNanos;
  private boolean rests;

  ExpiredWindows(ColumnFamilyStore cfs, Optional<TieredTable> table, TimeWindows windows) {
    this.cfs = cfs;
    this.table = table;
    this.windows = windows;
  }

  /** What is to go next; looks as often as the table's options say. */
  Optional<Pick<SSTableReader>> next(
      List<Candidate<SSTableReader>> candidates,
      FastState fast,
      long gcBefore,
      boolean mayRewrite) {
    long sinceNanos = System.nanoTime() - restedAtNanos;
    if (rests && sinceNanos < TimeUnit.MILLISECONDS.toNanos(windows.checkMillis())) {
      return Optional.empty();
    }
    Optional<Pick<SSTableReader>> found = find(candidates, fast, gcBefore, mayRewrite);
    // What only the pace of rewrites held back is looked for again as soon as that allows it.
    rests = found.isEmpty() && (mayRewrite || !hasFastDisk());
    restedAtNanos = System.nanoTime();
    return found;
  }

  private boolean hasFastDisk() {
    return table.isPresent() && table.get().fast().exists();
  }

  private Optional<Pick<SSTableReader>> find(
      List<Candidate<SSTableReader>> candidates,
      FastState fast,
      long gcBefore,
      boolean mayRewrite) {
    List<SSTableReader> dead =
        candidates.stream()
            .filter(c -> c.tier() == Tier.SLOW)
            .map(Candidate::table)
            .filter(s -> isDead(s, gcBefore))
            .toList();
    Collection<SSTableReader> beside = cfs.getOverlappingLiveSSTables(dead);
    Set<SSTableReader> expired = expired(dead, beside, gcBefore);
    if (!expired.isEmpty()) {
      return Optional.of(new Pick<>(Pick.Kind.EXPIRED, List.copyOf(expired)));
    }
    return table.isEmpty() || !mayRewrite || !table.get().skippable().isRestored()
        ? Optional.empty()
        : renewal(candidates, keptByFast(dead, beside, gcBefore), fast, gcBefore);
  }

  private static boolean isDead(SSTableReader sstable, long gcBefore) {
    return sstable.getMaxLocalDeletionTime() < gcBefore;
  }

  private Set<SSTableReader> expired(
      List<SSTableReader> dead, Collection<SSTableReader> beside, long gcBefore) {
    return CompactionController.getFullyExpiredSSTables(cfs, dead, beside, gcBefore);
  }

  private Set<SSTableReader> keptByFast(
      List<SSTableReader> dead, Collection<SSTableReader> beside, long gcBefore) {
    return expired(dead, beside.stream().filter(s -> !isOnFast(s)).toList(), gcBefore);
  }

  private boolean isOnFast(SSTableReader sstable) {
    return table.isPresent() && table.get().disks().tierOf(sstable.descriptor) == Tier.FAST;
  }

  /** Of the copies that are due those of one shard, since there is room to write one. */
  private Optional<Pick<SSTableReader>> renewal(
      List<Candidate<SSTableReader>> candidates,
      Collection<SSTableReader> kept,
      FastState fast,
      long gcBefore) {
    long nowMillis = System.currentTimeMillis();
    List<Candidate<SSTableReader>> copies =
        candidates.stream().filter(c -> c.tier() == Tier.FAST && c.copy()).toList();
    List<Candidate<SSTableReader>> due = new ArrayList<>();
    copies.stream().filter(c -> isTooOld(c.table(), nowMillis)).forEach(due::add);
    if (due.isEmpty()) {
      copies.stream()
          .filter(c -> kept.stream().anyMatch(s -> keeps(c.table(), s, gcBefore)))
          .forEach(due::add);
      long dueBytes = due.stream().mapToLong(Candidate::bytes).sum();
      if (dueBytes > LITTLE_BYTES && bytes(kept) < WORTH * dueBytes) {
        return Optional.empty();
      }
    }
    TreeMap<Integer, List<SSTableReader>> shards = new TreeMap<>();
    due.forEach(c -> shards.computeIfAbsent(c.shard(), shard -> new ArrayList<>()).add(c.table()));
    return shards.values().stream()
        .filter(shard -> bytes(shard) <= fast.roomBytes())
        .max(Comparator.comparingLong(ExpiredWindows::bytes))
        .map(shard -> new Pick<>(Pick.Kind.RENEW, shard));
  }

  private static long bytes(Collection<SSTableReader> sstables) {
    return sstables.stream().mapToLong(SSTableReader::onDiskLength).sum();
  }

  /** What was written since a bound moved was written by it. */
  private boolean isTooOld(SSTableReader copy, long nowMillis) {
    return windows.maxFastAgeMillis().isPresent()
        && windows.millis(copy.getMinTimestamp()) < windows.oldestOnFast(nowMillis)
        && copy.getDataCreationTime() < windows.oldestOnFastSince(nowMillis);
  }

  /** A merge that has not taken the dead one into account has not dropped what it holds of it. */
  private boolean keeps(SSTableReader copy, SSTableReader dead, long gcBefore) {
    return copy.getMinTimestamp() <= dead.getMaxTimestamp()
        && !isDead(copy, gcBefore)
        && table.orElseThrow().purgedBefore(copy.descriptor) <= dead.getMaxLocalDeletionTime();
  }

  /**
   * Live slow SSTables of which everything has expired. They hide nothing that they hold
   * themselves, so that what a compaction of fast drops need not outlive them.
   */
  static Set<SSTableReader> deadBeside(
      TieredTable table, Collection<SSTableReader> inputs, long gcBefore) {
    boolean isRepaired = inputs.stream().allMatch(SSTableReader::isRepaired);
    Predicate<SSTableReader> isBeside =
        s ->
            table.disks().tierOf(s.descriptor) == Tier.SLOW
                && !inputs.contains(s)
                && s.isRepaired() == isRepaired;
    Set<SSTableReader> dead = new HashSet<>();
    for (SSTableReader sstable : table.cfs().getLiveSSTables()) {
      if (isDead(sstable, gcBefore) && isBeside.test(sstable)) {
        dead.add(sstable);
      }
    }
    return dead;
  }

  /**
   * Takes out of a compaction what has not expired after all, as when older data was written since
   * it was chosen: it would be merged with other windows.
   */
  static void keepExpired(LifecycleTransaction txn, Set<SSTableReader> expired) {
    for (SSTableReader sstable : Set.copyOf(txn.originals())) {
      if (!expired.contains(sstable)) {
        txn.cancel(sstable);
      }
    }
  }
}
