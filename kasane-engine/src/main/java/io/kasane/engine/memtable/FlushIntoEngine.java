/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import com.google.common.collect.Iterators;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.db.memtable.Memtable.FlushablePartitionSet;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what a memtable has into an engine, on a thread that may hang there. It is late when for
 * some time nothing more goes in; a large memtable on a slow disk is not.
 */
final class FlushIntoEngine {
  private static final Logger logger = LoggerFactory.getLogger(FlushIntoEngine.class);

  private final StoredTable table;
  private final TableMetadata metadata;
  private final FlushablePartitionSet<?> set;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();
  private final AtomicLong progress = new AtomicLong();
  private volatile boolean isLate;

  FlushIntoEngine(StoredTable table, TableMetadata metadata, FlushablePartitionSet<?> set) {
    this.table = table;
    this.metadata = metadata;
    this.set = set;
  }

  /** Completes when nothing more is read from the memtable's memory. */
  CompletableFuture<Boolean> done() {
    return done;
  }

  /**
   * Moves all in.
   *
   * @param patience how long nothing may go in
   * @return whether the engine has all of it; if not, it must go elsewhere
   */
  boolean run(Duration patience) {
    long began = System.nanoTime();
    table.engine().threads().execute(this::move);
    try {
      if (!waitFor(patience)) {
        return false;
      }
      logger.debug(
          "{} took {} partitions of {} in {} ms",
          table.engine().name(),
          set.partitionCount(),
          metadata,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return isOut("a flush was interrupted", false);
    } catch (ExecutionException e) {
      JVMStabilityInspector.inspectThrowable(e.getCause());
      return isOut(
          String.valueOf(e.getCause().getMessage()),
          e.getCause() instanceof EngineException failure && isForAll(failure, patience));
    }
  }

  /** One table may be refused, or have an entry that cannot be read, while others have neither. */
  private boolean isForAll(EngineException failure, Duration patience) {
    return failure.kind() == Kind.FAILED
        || failure.kind() == Kind.UNREACHABLE
        || !table.engine().takesWrites(patience);
  }

  private boolean waitFor(Duration patience) throws InterruptedException, ExecutionException {
    while (true) {
      long before = progress.get();
      try {
        return done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (progress.get() == before) {
          isLate = true;
          return isOut("a flush stood still for " + patience.toSeconds() + " s", true);
        }
      }
    }
  }

  /**
   * The memtable goes elsewhere.
   *
   * @param isForAll whether other tables' flushes need not try
   */
  private boolean isOut(String why, boolean isForAll) {
    isLate = true;
    logger.warn(
        "{} does not take {} partitions of {} ({}): they go to an SSTable, and in later",
        table.engine().name(),
        set.partitionCount(),
        metadata,
        why);
    if (isForAll) {
      table.engine().writes().failed(why);
    }
    return false;
  }

  private void move() {
    try {
      done.complete(
          table.flush(
              metadata,
              Iterators.transform(set.iterator(), partition -> partition.unfilteredIterator()),
              () -> isLate,
              progress::incrementAndGet));
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }
}
