/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.health.BoundedCalls;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Partitions that are read on other threads, some at a time. A large one is the last of its time:
 * its rows come in parts, before the next partition is read. For one reader, who takes no lock.
 */
final class FetchedPartitions extends AbstractUnfilteredPartitionIterator {
  private final BoundedCalls calls;
  private final TableMetadata metadata;

  /** Whoever reads from or closes what is open in the engine holds it; see {@link FetchedRows}. */
  private final Object lock = new Object();

  /** Null when closed. */
  private UnfilteredPartitionIterator from;

  private volatile boolean isOver;
  private Deque<FetchedRows> fetched = new ArrayDeque<>();
  private FetchedRows current;
  private int rowsAtOnce = FetchedRows.FIRST_ROWS;

  private FetchedPartitions(
      BoundedCalls calls, TableMetadata metadata, UnfilteredPartitionIterator from) {
    this.calls = calls;
    this.metadata = metadata;
    this.from = from;
  }

  /** Reads the first partitions of what {@code scan} opens. */
  static UnfilteredPartitionIterator open(
      BoundedCalls calls, TableMetadata metadata, Supplier<UnfilteredPartitionIterator> scan) {
    return calls.call(
        () -> {
          FetchedPartitions partitions = new FetchedPartitions(calls, metadata, scan.get());
          partitions.fetched = partitions.fetch(null, FetchedRows.FIRST_ROWS);
          return partitions;
        },
        late -> late.closeRest(null));
  }

  /** On a thread that may hang. */
  private Deque<FetchedRows> fetch(FetchedRows before, int mostRows) {
    synchronized (lock) {
      Deque<FetchedRows> partitions = new ArrayDeque<>();
      try {
        if (before != null) {
          before.closeRest();
        }
        int rows = 0;
        while (from != null && rows < mostRows && from.hasNext()) {
          FetchedRows partition = FetchedRows.first(calls, lock, from.next());
          partitions.add(partition);
          rows += 1 + partition.rowsRead();
          if (!partition.isWhole()) {
            return partitions;
          }
        }
      } catch (RuntimeException | Error e) {
        closeRest(before);
        throw e;
      }
      if (from != null && !from.hasNext()) {
        closeRest(null);
      }
      return partitions;
    }
  }

  /** On a thread that may hang: closes what is open; again does nothing. */
  private void closeRest(FetchedRows last) {
    synchronized (lock) {
      isOver = true;
      if (last != null) {
        last.closeRest();
      }
      if (from != null) {
        UnfilteredPartitionIterator closing = from;
        from = null;
        closing.close();
      }
    }
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public boolean hasNext() {
    if (fetched.isEmpty() && !isOver) {
      rowsAtOnce = Math.min(FetchedRows.MOST_ROWS, 4 * rowsAtOnce);
      int most = rowsAtOnce;
      FetchedRows before = current;
      fetched = calls.call(() -> fetch(before, most), late -> closeRest(before));
    }
    return !fetched.isEmpty();
  }

  @Override
  public UnfilteredRowIterator next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    current = fetched.poll();
    return current;
  }

  @Override
  public void close() {
    FetchedRows last = fetched.isEmpty() ? current : fetched.peekLast();
    if (!isOver) {
      calls.later(() -> closeRest(last));
    }
  }
}
