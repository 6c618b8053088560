/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.health.BoundedCalls;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/**
 * A partition that is read on other threads, some rows at a time: few at first, since most reads
 * want one. For one reader, who takes no lock.
 */
final class FetchedRows extends AbstractUnfilteredRowIterator {
  static final int FIRST_ROWS = 16;
  static final int MOST_ROWS = 512;
  private static final int MOST_BYTES = 256 << 10;

  private final BoundedCalls calls;

  /**
   * Whoever reads from or closes what is open in the engine holds it: one snapshot is for one
   * thread at a time, and a reader that has given up closes what another thread still reads.
   */
  private final Object lock;

  /** What the next rows come from; null at the end. */
  private UnfilteredRowIterator rest;

  private volatile boolean isWhole;
  private Deque<Unfiltered> rows;
  private int rowsAtOnce = FIRST_ROWS;

  private FetchedRows(BoundedCalls calls, Object lock, UnfilteredRowIterator from) {
    super(
        from.metadata(),
        from.partitionKey(),
        from.partitionLevelDeletion(),
        from.columns(),
        from.staticRow(),
        from.isReverseOrder(),
        from.stats());
    this.calls = calls;
    this.lock = lock;
    this.rest = from;
  }

  /** Reads the first rows of what {@code read} opens; null if that is null. */
  static UnfilteredRowIterator open(BoundedCalls calls, Supplier<UnfilteredRowIterator> read) {
    return calls.call(
        () -> {
          UnfilteredRowIterator rows = read.get();
          return rows == null ? null : first(calls, new Object(), rows);
        },
        late -> {
          if (late != null) {
            late.closeRest();
          }
        });
  }

  /** On a thread that may hang: a partition with its first rows; closed if these are all. */
  static FetchedRows first(BoundedCalls calls, Object lock, UnfilteredRowIterator from) {
    FetchedRows rows = new FetchedRows(calls, lock, from);
    rows.rows = rows.fetch(FIRST_ROWS);
    return rows;
  }

  /** On a thread that may hang. */
  private Deque<Unfiltered> fetch(int mostRows) {
    synchronized (lock) {
      Deque<Unfiltered> fetched = new ArrayDeque<>();
      if (rest == null) {
        return fetched; // its reader has given up
      }
      try {
        long bytes = 0;
        while (rest.hasNext()) {
          Unfiltered next = rest.next();
          fetched.add(next);
          bytes += next.isRow() ? ((Row) next).dataSize() : 0;
          if (fetched.size() >= mostRows || bytes >= MOST_BYTES) {
            return fetched;
          }
        }
      } catch (RuntimeException | Error e) {
        closeRest();
        throw e;
      }
      closeRest();
      return fetched;
    }
  }

  /** On a thread that may hang: closes what is open; again does nothing. */
  void closeRest() {
    synchronized (lock) {
      isWhole = true;
      if (rest != null) {
        UnfilteredRowIterator closing = rest;
        rest = null;
        closing.close();
      }
    }
  }

  /** Whether nothing more is read for it. */
  boolean isWhole() {
    return isWhole;
  }

  /** Returns how many rows wait for the reader. */
  int rowsRead() {
    return rows.size();
  }

  @Override
  protected Unfiltered computeNext() {
    if (rows.isEmpty() && !isWhole) {
      rowsAtOnce = Math.min(MOST_ROWS, 4 * rowsAtOnce);
      int most = rowsAtOnce;
      rows = calls.call(() -> fetch(most), late -> closeRest());
    }
    Unfiltered next = rows.poll();
    return next == null ? endOfData() : next;
  }

  @Override
  public void close() {
    if (!isWhole) {
      calls.later(this::closeRest);
    }
  }
}
