/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.health.Watched;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of a partition that an engine thread reads in small batches for another thread, so that the
 * other thread cannot hang in the engine. For one thread.
 */
final class OffloadedRows extends AbstractUnfilteredRowIterator {
  private static final Logger logger = LoggerFactory.getLogger(OffloadedRows.class);

  /** So that a hand-over between threads, of some microseconds, is little beside its rows. */
  private static final int MAX_ROWS = 64;

  /** Large rows are handed over in fewer: a slow client must not hold megabytes. */
  private static final int ENOUGH_BYTES = 256 << 10;

  private final Reading reading;
  private Iterator<Unfiltered> rows;

  /** Opens the partition with a pass, which is closed with it; null if there is nothing. */
  interface Open {
    /**
     * Opens it, on the thread that reads.
     *
     * @param isWanted to be run before each call into the engine: throws if nobody waits any more
     */
    UnfilteredRowIterator with(ReadBulkhead.Pass pass, Runnable isWanted);
  }

  private OffloadedRows(Reading reading, UnfilteredRowIterator of, Iterator<Unfiltered> first) {
    super(
        of.metadata(),
        of.partitionKey(),
        of.partitionLevelDeletion(),
        of.columns(),
        of.staticRow(),
        of.isReverseOrder(),
        of.stats());
    this.reading = reading;
    this.rows = first;
  }

  /**
   * Reads a partition; null if there is nothing of it. To be closed.
   *
   * @param threads may hang
   * @param longestCall how long a call into the engine may take
   * @param pass of the calling thread
   * @throws EngineException if one call has not returned in time; it keeps the pass until it does
   */
  static UnfilteredRowIterator read(
      Executor threads, Duration longestCall, ReadBulkhead.Pass pass, Open open) {
    Reading reading = new Reading(threads, longestCall, pass);
    List<Unfiltered> first = reading.begin(open);
    return reading.partition == null
        ? null
        : new OffloadedRows(reading, reading.partition, first.iterator());
  }

  @Override
  protected Unfiltered computeNext() {
    while (!rows.hasNext()) {
      if (reading.isAtEnd()) {
        return endOfData();
      }
      rows = reading.next().iterator();
    }
    return rows.next();
  }

  /** Waits for nothing, and does not fail: Cassandra leaves what else it has open if one does. */
  @Override
  public void close() {
    reading.close();
  }

  /** What the two threads share: the one waits while the other one works. */
  private static final class Reading {
    private final Executor threads;
    private final Duration longestCall;
    private final ReadBulkhead.Pass pass;
    private volatile Watched watched;
    private UnfilteredRowIterator partition;
    private List<Unfiltered> batch = Collections.emptyList();

    /** What came behind the batch; the rows before it may be all that is wanted. */
    private RuntimeException failure;

    /** Whether the partition was closed, at its end or before. */
    private boolean isClosed;

    /** Whether the reading thread is to close it, since the other one waits no longer. */
    private boolean isLeft;

    Reading(Executor threads, Duration longestCall, ReadBulkhead.Pass pass) {
      this.threads = threads;
      this.longestCall = longestCall;
      this.pass = pass;
    }

    List<Unfiltered> begin(Open open) {
      hand(
          () -> {
            partition = open.with(pass, this::requireWanted);
            if (partition == null) {
              isClosed = true;
            } else {
              fill();
            }
          });
      return batch;
    }

    boolean isAtEnd() {
      return isClosed && failure == null;
    }

    List<Unfiltered> next() {
      if (failure != null) {
        throw failure;
      }
      hand(this::fill);
      return batch;
    }

    void close() {
      if (isLeft || isClosed) {
        return;
      }
      isLeft = true;
      pass.detach();
      try {
        threads.execute(this::closeQuietly);
      } catch (RejectedExecutionException | OutOfMemoryError e) { // there is no thread
        closeQuietly();
      }
    }

    private void closeQuietly() {
      try {
        abandon();
      } catch (RuntimeException | Error e) {
        logger.warn("A read of {} could not be closed", partition.metadata(), e);
      }
    }

    private void requireWanted() {
      if (watched.isCancelled()) {
        throw new EngineException(Kind.FAILED, "nobody waits for this read any more");
      }
    }

    private void fill() {
      batch = new ArrayList<>();
      try {
        fillBatch();
      } catch (RuntimeException e) {
        if (batch.isEmpty()) {
          throw e;
        }
        failure = e;
        closePartition();
      }
    }

    private void fillBatch() {
      for (long bytes = 0; batch.size() < MAX_ROWS && bytes < ENOUGH_BYTES; ) {
        if (!partition.hasNext()) {
          closePartition();
          return;
        }
        Unfiltered next = partition.next();
        batch.add(next);
        bytes += next instanceof Row row ? row.dataSize() : 0;
      }
    }

    private void closePartition() {
      if (!isClosed) {
        isClosed = true;
        partition.close();
      }
    }

    /** What failed, or nobody waits for any more, is closed where it was read. */
    private void run(Watched by, Runnable work) {
      watched = by;
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        try {
          abandon();
        } catch (RuntimeException | Error closing) {
          e.addSuppressed(closing);
        }
        throw e;
      }
      if (!by.mayFinish()) {
        abandon();
      }
    }

    private void abandon() {
      try {
        if (partition != null) {
          closePartition();
        }
      } finally {
        pass.close();
      }
    }

    private void hand(Runnable work) {
      try {
        Watched.run(threads, "a read", longestCall, by -> run(by, work));
      } catch (EngineException e) {
        isLeft = true;
        pass.detach();
        throw unwrapped(e);
      } catch (RejectedExecutionException | OutOfMemoryError e) { // there is no thread
        isLeft = true;
        abandon();
        throw e;
      }
    }

    private static RuntimeException unwrapped(EngineException e) {
      return e.getCause() instanceof ExecutionException done
              && done.getCause() instanceof RuntimeException failure
          ? failure
          : e;
    }
  }
}
