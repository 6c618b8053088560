/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.node.StoredScan;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.rows.RowsSnapshot;
import io.kasane.engine.sstables.FreeSpaceCheck;
import io.kasane.engine.sstables.LeftOvers;
import io.kasane.engine.sstables.LocalSyncs;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What engines have of a table, for one stream or validation: all of its ranges are counted and
 * then read in one snapshot. What is in memory is not in it: Cassandra flushes before it validates
 * or streams, and takes what comes later with the next one.
 *
 * <p>Cassandra asks for one range after the other, then reads one after the other, all on one
 * thread, and does not say when it is done. So the snapshot is closed behind the last range, when
 * the thread asks for another table's rows, or when nobody can read from it any more.
 */
final class StreamSnapshot {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final ThreadLocal<WeakReference<StreamSnapshot>> LAST = new ThreadLocal<>();

  private final ColumnFamilyStore table;
  private final TableMetadata metadata;
  private final LeftOvers leftOvers;
  private final LeftOvers.Mark mark;
  private final Opened opened;
  private final Cleaner.Cleanable closing;
  private final List<StoredTable> stored;
  private boolean isBegun;
  private int rangesLeft;
  private long partitionsLeft;

  /** What is to be closed: a cursor goes before its snapshot. */
  private static final class Opened implements Runnable {
    private final List<RowsSnapshot> views;
    private UnfilteredPartitionIterator reading;

    Opened(List<RowsSnapshot> views) {
      this.views = views;
    }

    void read(UnfilteredPartitionIterator next) {
      reading = next;
    }

    void endRange() {
      if (reading != null) {
        reading.close();
        reading = null;
      }
    }

    @Override
    public void run() {
      endRange();
      views.forEach(RowsSnapshot::close);
    }
  }

  private StreamSnapshot(
      ColumnFamilyStore table,
      List<StoredTable> stored,
      List<RowsSnapshot> views,
      LeftOvers leftOvers) {
    this.table = table;
    this.stored = stored;
    this.metadata = table.metadata();
    this.leftOvers = leftOvers;
    this.mark = LeftOvers.Mark.next();
    this.opened = new Opened(views);
    this.closing = CLEANER.register(this, opened);
  }

  /** What this thread reads of a table now. */
  static StreamSnapshot of(ColumnFamilyStore table, List<StoredTable> stored, LeftOvers leftOvers) {
    WeakReference<StreamSnapshot> reference = LAST.get();
    StreamSnapshot last = reference == null ? null : reference.get();
    if (last != null && last.table.equals(table) && !last.isBegun) {
      return last;
    }
    if (last != null) {
      last.close();
    }
    LocalSyncs.begin();
    StreamSnapshot next =
        new StreamSnapshot(table, stored, open(stored, table.metadata()), leftOvers);
    LAST.set(new WeakReference<>(next));
    return next;
  }

  /** What this thread counted and did not read is not read any more: its stream has failed. */
  static void beginAnew() {
    WeakReference<StreamSnapshot> reference = LAST.get();
    StreamSnapshot last = reference == null ? null : reference.get();
    if (last != null && !last.isBegun) {
      last.close();
    }
  }

  private static List<RowsSnapshot> open(List<StoredTable> stored, TableMetadata metadata) {
    List<RowsSnapshot> views = new ArrayList<>();
    try {
      for (StoredTable each : stored) {
        each.view(metadata).ifPresent(views::add);
      }
    } catch (RuntimeException | Error e) {
      views.forEach(RowsSnapshot::close);
      throw e;
    }
    return views;
  }

  private void close() {
    closing.clean();
    LAST.remove();
  }

  /** Counts a range, which is to be read later if it has anything. */
  Memtable.FlushablePartitionSet<?> range(
      Memtable memtable, PartitionPosition from, PartitionPosition to) {
    PartitionPosition least = metadata.partitioner.getMinimumToken().minKeyBound();
    Range<PartitionPosition> range =
        new Range<>(from == null ? least : from, to == null || to.isMinimum() ? least : to);
    long partitions = opened.views.stream().mapToLong(view -> view.countPartitions(range)).sum();
    if (partitions > 0) {
      rangesLeft++;
      partitionsLeft += partitions;
    } else if (rangesLeft == 0) {
      end(); // if no range has anything, nobody comes back
    }
    return new EngineFlushSet(memtable, from, to, this, range, partitions);
  }

  CommitLogPosition mark() {
    return mark.position();
  }

  /** Reads a range that has something. */
  Iterator<Partition> read(Range<PartitionPosition> range) {
    if (!isBegun) {
      requireRoom();
      isBegun = true;
      leftOvers.begin(table, mark);
    } else {
      leftOvers.goesOn(table, mark);
    }
    UnfilteredPartitionIterator rows = scan(DataRange.forKeyRange(range));
    opened.read(rows);
    return new SinglePassPartitions(rows, this::endRange);
  }

  private void requireRoom() {
    if (!FreeSpaceCheck.isThere(table, stored, partitionsLeft)) {
      leftOvers.sweep(); // the validation before a stream left as much
      FreeSpaceCheck.require(table, stored, partitionsLeft);
    }
  }

  private UnfilteredPartitionIterator scan(DataRange range) {
    List<UnfilteredPartitionIterator> scans = new ArrayList<>();
    try {
      for (RowsSnapshot view : opened.views) {
        scans.add(view.scan(range));
      }
    } catch (RuntimeException | Error e) {
      scans.forEach(UnfilteredPartitionIterator::close);
      throw e;
    }
    return StoredScan.merge(scans, metadata);
  }

  private void endRange() {
    opened.endRange();
    rangesLeft--;
    if (rangesLeft == 0) {
      leftOvers.goesOn(table, mark); // all files are there, and none is finished
      end();
    }
  }

  private void end() {
    close();
    LocalSyncs.end();
  }
}
