/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.Tier;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Which of a table's SSTables on fast are copies, how much lies on fast only, and when rows may
 * leave fast because others have them.
 *
 * <p>That an SSTable is a copy is never taken on trust: the SSTables that its rows were copied from
 * must be there, or what compactions made of them ({@link SkipIndex#sourcesOf}). And while copies
 * are dropped these sources stand still: {@code nodetool garbagecollect}, or a stock strategy with
 * {@code provide_overlapping_tombstones}, drops a deletion because another SSTable has the same
 * one, which may be the copy that goes. Thread-safe.
 */
public final class FastCopies {
  private static final int TRIES = 200; // a second: copies hold their sources for less
  private static final long PAUSE_MILLIS = 5; // short beside that

  private final ColumnFamilyStore cfs;
  private final TableDisks disks;
  private final Predicate<SSTableReader> isOurs;
  private final Supplier<Set<Descriptor>> copies;
  private final Function<Collection<Descriptor>, Optional<Set<Descriptor>>> sourcesOf;
  private final GarbageCollectCompactions garbageCollections;
  private final Set<Object> fastOnlyWriters = ConcurrentHashMap.newKeySet();
  private final Set<SSTableReader> held = ConcurrentHashMap.newKeySet();

  /**
   * The copies of a table.
   *
   * @param isOurs whether a compaction of Kasane has marked an SSTable, which drops no deletion for
   *     that reason
   * @param copies the SSTables that are copies now
   * @param sourcesOf the live SSTables that have all rows of some copies; nothing if one is none
   */
  public FastCopies(
      ColumnFamilyStore cfs,
      TableDisks disks,
      Predicate<SSTableReader> isOurs,
      Supplier<Set<Descriptor>> copies,
      Function<Collection<Descriptor>, Optional<Set<Descriptor>>> sourcesOf) {
    this.cfs = cfs;
    this.disks = disks;
    this.isOurs = isOurs;
    this.copies = copies;
    this.sourcesOf = sourcesOf;
    this.garbageCollections = new GarbageCollectCompactions(cfs);
  }

  /** The compactions of Cassandra that leave out deletions which others have. */
  public GarbageCollectCompactions garbageCollections() {
    return garbageCollections;
  }

  /** The live SSTables that are copies. */
  public Set<Descriptor> all() {
    return copies.get();
  }

  /** Bytes of live SSTables on fast whose rows may lie nowhere else; not 0 while any is written. */
  public long fastOnlyBytes() {
    long written = fastOnlyWriters.isEmpty() ? 0 : 1;
    Set<Descriptor> mereCopies = copies.get();
    return written
        + cfs.getLiveSSTables().stream()
            .filter(s -> disks.tierOf(s.descriptor) == Tier.FAST)
            .filter(s -> !mereCopies.contains(s.descriptor))
            .mapToLong(disks::bytesOf)
            .sum();
  }

  /** A flush or compaction begins that leaves rows on fast only. */
  public void writesToFastOnly(Object writer) {
    fastOnlyWriters.add(writer);
  }

  /** It has ended, well or not. */
  public void endsWriting(Object writer) {
    fastOnlyWriters.remove(writer);
  }

  /** Whether rows of {@code sstables} may leave fast without being written to slow. */
  public boolean mayBeDropped(Collection<SSTableReader> sstables) {
    return sstables.stream().allMatch(s -> disks.tierOf(s.descriptor) == Tier.FAST)
        && sources(sstables).map(this::standStillOrAreOurs).orElse(false);
  }

  /** The sources of copies, unless one is missing or was found damaged. */
  private Optional<List<SSTableReader>> sources(Collection<SSTableReader> sstables) {
    Optional<Set<Descriptor>> names = sourcesOf.apply(Descriptors.of(sstables));
    if (names.isEmpty()) {
      return Optional.empty();
    }
    List<SSTableReader> found =
        cfs.getLiveSSTables().stream()
            .filter(s -> names.get().contains(s.descriptor) && !s.isMarkedSuspect())
            .toList();
    return found.size() == names.get().size() ? Optional.of(found) : Optional.empty();
  }

  private boolean standStillOrAreOurs(List<SSTableReader> sources) {
    return busy(sources).stream().allMatch(this::isOurs);
  }

  private Set<SSTableReader> busy(List<SSTableReader> sources) {
    Set<SSTableReader> compacting = cfs.getTracker().getCompacting();
    return sources.stream().filter(compacting::contains).collect(Collectors.toSet());
  }

  private boolean isOurs(SSTableReader compacting) {
    return held.contains(compacting) || isOurs.test(compacting);
  }

  /**
   * Marks the sources of copies as compacting, but for those that compactions of Kasane have
   * marked, so that nothing else touches them.
   *
   * @return to be closed when the copies are gone
   * @throws CompactionInterruptedException if the copies may have rows of their own by now
   */
  public AutoCloseable holdSourcesOf(Collection<SSTableReader> sstables) {
    for (int left = TRIES; left > 0; left--) {
      Optional<List<SSTableReader>> sources = sources(sstables);
      if (sources.isEmpty() || !standStillOrAreOurs(sources.get())) {
        break;
      }
      Set<SSTableReader> busy = busy(sources.get());
      List<SSTableReader> idle = sources.get().stream().filter(s -> !busy.contains(s)).toList();
      LifecycleTransaction txn = cfs.getTracker().tryModify(idle, OperationType.COMPACTION);
      if (txn != null) {
        held.addAll(idle);
        return () -> {
          held.removeAll(idle);
          txn.close();
        };
      }
      Uninterruptibles.sleepUninterruptibly(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    throw new CompactionInterruptedException(
        sstables + " may have rows of their own by now; they stay until that is known");
  }
}
