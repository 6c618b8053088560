/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.memtable;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where Cassandra frees the memory of memtables that were flushed: on one thread for all tables,
 * each when the reads of its table from before have ended. One read that hangs keeps the memory of
 * all. Thread-safe.
 */
public final class MemtableReclaim {
  private static final Logger logger = LoggerFactory.getLogger(MemtableReclaim.class);

  /** Each flush of a table whose reads hang takes one. */
  private static final int MAX_THREADS = 1_000;

  private static final Optional<BlockingQueue<Runnable>> WAITING = waiting();
  private static final AtomicInteger THREADS = new AtomicInteger();

  private MemtableReclaim() {}

  /**
   * Hands over what waits behind the one that is being freed.
   *
   * @param others where each waits for its own table's reads only, which may be without end
   */
  public static void spread(Executor others) {
    WAITING.ifPresent(waiting -> spread(waiting, others));
  }

  private static void spread(BlockingQueue<Runnable> waiting, Executor others) {
    while (THREADS.get() < MAX_THREADS) {
      Runnable next = waiting.poll();
      if (next == null) {
        return;
      }
      THREADS.incrementAndGet();
      boolean isBegun = false;
      try {
        others.execute(() -> run(next));
        isBegun = true;
      } finally {
        if (!isBegun) { // there may be no thread for it
          THREADS.decrementAndGet();
          waiting.add(next);
        }
      }
    }
  }

  private static void run(Runnable next) {
    try {
      next.run();
    } finally {
      THREADS.decrementAndGet();
    }
  }

  private static Optional<BlockingQueue<Runnable>> waiting() {
    try {
      Field executor = ColumnFamilyStore.class.getDeclaredField("reclaimExecutor");
      executor.setAccessible(true);
      return Optional.of(((ThreadPoolExecutor) executor.get(null)).getQueue());
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.warn(
          "This Cassandra does not tell where it frees memtables: while a read hangs in a storage"
              + " engine, no memtable of this node is freed: {}",
          e.toString());
      return Optional.empty();
    }
  }
}
