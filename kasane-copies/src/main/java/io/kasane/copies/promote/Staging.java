/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.sstables.LiveSSTables;
import io.kasane.copies.sstables.RowBounds;
import io.kasane.copies.sstables.SharedInputs;
import io.kasane.copies.sstables.Tier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Reads into memory what slow SSTables hold of the rows that reads just found there, while their
 * blocks are in memory, until there are enough rows for SSTables on fast.
 *
 * <p>Any thread offers keys. One thread reads; another takes what was read and writes it. The one
 * waits for the other only while there is much: else the blocks of what is offered during a write
 * would be gone.
 */
public final class Staging {
  /** The thread serves all tables in turn. */
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A row that takes longer to read was not in memory. */
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Look-ups that memory answers count, too: they must not make SSTables by the dozen. */
  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A compaction may take the SSTables away that they were read from, and that in vain. */
  private static final long MAX_STAGED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** To write an SSTable is worth a few look-ups in slow ones. */
  private static final int LOOK_UPS_PER_SSTABLE = 2;

  /** So much is held in memory of a table, and as much again of a flush that is copied. */
  public static final long MAX_BYTES = 16L << 20;

  private final CopyContext table;
  private final ColumnFamilyStore cfs;
  private final BiPredicate<Descriptor, DecoratedKey> skippable;
  private final WantedKeys wanted = new WantedKeys();
  private final CopyPace pace;
  private StagedRows staged = new StagedRows();
  private StagedRows beingWritten = new StagedRows();
  private long stagedSinceNanos;
  private int lookUpsOfStaged;

  /** Whether the last row had parts that reads leave out, so that they are in no memory. */
  private boolean readsOfSkippable;

  /**
   * Nothing is staged yet.
   *
   * @param skippable whether what an SSTable holds of a key was copied already
   */
  public Staging(CopyContext table, BiPredicate<Descriptor, DecoratedKey> skippable) {
    this.table = table;
    this.cfs = table.cfs();
    this.pace = new CopyPace(table);
    this.skippable = skippable;
  }

  public void offer(DecoratedKey key) {
    wanted.offer(key);
  }

  /** Called about once a second. */
  void observe(double processorLoad) {
    pace.observe(processorLoad);
  }

  // The thread that reads.

  /** Reads for at most about a tenth of a second. */
  public void step() {
    long allowedNanos = Math.min(STEP_NANOS, pace.nanos());
    if (allowedNanos <= 0) {
      return;
    }
    long began = System.nanoTime();
    read(began + allowedNanos);
    pace.worked(System.nanoTime() - began);
  }

  private void read(long untilNanos) {
    long allowedRows = pace.rows();
    long allowedBytes = pace.bytes();
    while (allowedRows-- > 0 && allowedBytes > 0 && System.nanoTime() - untilNanos < 0) {
      DecoratedKey key = hasRoom() ? wanted.poll() : null;
      if (key == null) {
        return;
      }
      long nanosBefore = System.nanoTime();
      long boundBytes = stage(key);
      if (System.nanoTime() - nanosBefore > WAIT_NANOS && !readsOfSkippable) {
        wanted.dropOlder(); // they have left memory too; the hot ones among them come back
      }
      pace.read(boundBytes > 0 ? 1 : 0, boundBytes);
      allowedBytes -= boundBytes;
    }
  }

  private synchronized boolean hasRoom() {
    return staged.boundBytes() + beingWritten.boundBytes() < MAX_BYTES;
  }

  private long stage(DecoratedKey key) {
    readsOfSkippable = false;
    return put(key, LiveSSTables.look(cfs, key, sstables -> partsOf(key, sstables)));
  }

  /**
   * What was read of a row.
   *
   * @param parts by SSTable
   * @param whole compactions of whose inputs they have all
   */
  private record Found(Map<Descriptor, ImmutableBTreePartition> parts, Set<SharedInputs> whole) {}

  private Found partsOf(DecoratedKey key, Iterable<SSTableReader> sstables) {
    Found found = new Found(new HashMap<>(), new HashSet<>());
    Set<SharedInputs> lookedAt = new HashSet<>();
    for (SSTableReader sstable : sstables) {
      if (isSource(sstable) && covers(sstable, key) && mayHold(sstable, key)) {
        Optional<SharedInputs> merged = table.sharing(sstable);
        if (merged.isPresent()) {
          if (!lookedAt.contains(merged.get())
              && isToBeRead(key, sstable, merged.get())
              && !skippable.test(sstable.descriptor, key)) {
            lookedAt.add(merged.get());
            readAllOf(merged.get(), key, sstables, found);
          }
        } else if (isToBeRead(key, sstable) && !skippable.test(sstable.descriptor, key)) {
          read(key, sstable).ifPresent(part -> found.parts().put(sstable.descriptor, part));
        }
      }
    }
    return found;
  }

  /**
   * What each input of a compaction holds of a row, be it skippable: the compaction may drop a
   * deletion in one together with what it deletes in another. Nothing if an input is not in the
   * view, or holds what cannot be copied.
   */
  private void readAllOf(
      SharedInputs merged, DecoratedKey key, Iterable<SSTableReader> sstables, Found found) {
    Set<SSTableReader> view = new HashSet<>();
    sstables.forEach(view::add);
    List<SSTableReader> inputs = merged.all().stream().filter(s -> covers(s, key)).toList();
    if (!inputs.stream().allMatch(input -> view.contains(input) && isSource(input))) {
      return;
    }
    List<SSTableReader> holders = inputs.stream().filter(input -> mayHold(input, key)).toList();
    if (holders.stream().anyMatch(input -> isTooLarge(key, input))) {
      return;
    }
    for (SSTableReader holder : holders) {
      readsOfSkippable |= skippable.test(holder.descriptor, key);
      read(key, holder)
          .ifPresent(
              part -> {
                found.parts().put(holder.descriptor, part);
                found.whole().add(merged);
              });
    }
  }

  private static boolean covers(SSTableReader sstable, DecoratedKey key) {
    return sstable.getFirst().compareTo(key) <= 0 && sstable.getLast().compareTo(key) >= 0;
  }

  private static boolean mayHold(SSTableReader sstable, DecoratedKey key) {
    return sstable.mayContainAssumingKeyIsInRange(key);
  }

  /** Whether rows of an SSTable may be copied. */
  boolean isSource(SSTableReader sstable) {
    return table.disks().tierOf(sstable.descriptor) == Tier.SLOW
        && !sstable.isMarkedSuspect()
        && !sstable.isPendingRepair()
        && !sstable.isTransient();
  }

  private Optional<ImmutableBTreePartition> read(DecoratedKey key, SSTableReader sstable) {
    if (isTooLarge(key, sstable)) {
      table.keptFromCopying(sstable);
      return Optional.empty();
    }
    try (UnfilteredRowIterator found =
        sstable.rowIterator(
            key,
            Slices.ALL,
            ColumnFilter.all(cfs.metadata()),
            false,
            SSTableReadsListener.NOOP_LISTENER)) {
      ImmutableBTreePartition partition = ImmutableBTreePartition.create(found);
      return partition.isEmpty() ? Optional.empty() : Optional.of(partition);
    }
  }

  /** The histogram says so for most SSTables; else the index, whose block the read has left. */
  static boolean isTooLarge(DecoratedKey key, SSTableReader sstable) {
    if (sstable.getEstimatedPartitionSize().max() <= RowBounds.MAX_HELD_BYTES) {
      return false;
    }
    long start = sstable.getPosition(key, SSTableReader.Operator.EQ, false);
    long end = sstable.getPosition(key, SSTableReader.Operator.GT, false);
    return start >= 0
        && (end < 0 ? sstable.uncompressedLength() : end) - start > RowBounds.MAX_HELD_BYTES;
  }

  /**
   * Not what was read already; nor what is being compacted, unless rows of it are being written,
   * most likely by the copy that marked it. Asked before {@link #skippable}: what was copied
   * between the two questions is skippable.
   */
  private synchronized boolean isToBeRead(DecoratedKey key, SSTableReader sstable) {
    if (staged.holds(key, sstable.descriptor)) {
      lookUpsOfStaged++;
      return false;
    }
    return beingWritten.readsFrom(sstable.descriptor)
        ? !beingWritten.holds(key, sstable.descriptor)
        : !cfs.getTracker().getCompacting().contains(sstable);
  }

  /** The same of an input of a compaction: not what was read together with all others already. */
  private synchronized boolean isToBeRead(
      DecoratedKey key, SSTableReader sstable, SharedInputs merged) {
    if (staged.holds(key, sstable.descriptor) && staged.hasAllOf(key, merged)) {
      lookUpsOfStaged++;
      return false;
    }
    return !(beingWritten.holds(key, sstable.descriptor) && beingWritten.hasAllOf(key, merged));
  }

  /** Returns an upper bound of what the parts take on disk; 0 if copying was switched off. */
  private synchronized long put(DecoratedKey key, Found found) {
    if (!table.copiesRows()) {
      return 0;
    }
    if (staged.isEmpty()) {
      stagedSinceNanos = System.nanoTime();
    }
    long before = staged.boundBytes();
    found.parts().forEach((sstable, part) -> staged.put(key, sstable, part));
    found.whole().forEach(merged -> staged.putAllOf(key, merged));
    return staged.boundBytes() - before;
  }

  // The thread that writes.

  /** What is to be written now; {@link #written} ends it. Empty if there is not enough yet. */
  public synchronized StagedRows take() {
    if (!staged.isEmpty() && isDue()) {
      staged.removeIf(skippable); // a flush was copied meanwhile
      beingWritten = staged;
      staged = new StagedRows();
      lookUpsOfStaged = 0;
    }
    return beingWritten;
  }

  private boolean isDue() {
    long ageNanos = System.nanoTime() - stagedSinceNanos;
    int shards = table.shards();
    return isDue(ageNanos, staged.boundBytes(), lookUpsOfStaged, shards);
  }

  /**
   * Whether what is staged is to be written: once waiting has cost as much (ski rental, as in the
   * price of the slow disk), or before it grows too old or too large.
   */
  static boolean isDue(long ageNanos, long bytes, int lookUps, int shards) {
    return ageNanos >= MAX_STAGED_NANOS
        || bytes >= MAX_BYTES
        || (ageNanos >= SOON_NANOS && lookUps >= LOOK_UPS_PER_SSTABLE * shards);
  }

  /** Reads leave out by now what was taken, or it found no room. */
  public synchronized void written() {
    beingWritten = new StagedRows();
  }

  /** What is wanted or staged is read from slow again if it is hot. */
  public synchronized void clear() {
    wanted.clear();
    staged = new StagedRows();
    beingWritten = new StagedRows();
    lookUpsOfStaged = 0;
  }
}
