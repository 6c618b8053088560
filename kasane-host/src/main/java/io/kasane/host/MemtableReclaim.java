/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
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
  private static final Optional<ThreadPoolExecutor> EXECUTOR = executor();

  private MemtableReclaim() {}

  /**
   * Hands over what waits behind the one that is being freed.
   *
   * @param others where each waits for its own table's reads only, which may be without end
   */
  public static void spread(Executor others) {
    EXECUTOR.ifPresent(
        executor -> {
          for (Runnable next = executor.getQueue().poll();
              next != null;
              next = executor.getQueue().poll()) {
            others.execute(next);
          }
        });
  }

  private static Optional<ThreadPoolExecutor> executor() {
    try {
      Field executor = ColumnFamilyStore.class.getDeclaredField("reclaimExecutor");
      executor.setAccessible(true);
      return Optional.ofNullable((ThreadPoolExecutor) executor.get(null)); // null in tools
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.warn(
          "This Cassandra does not tell where it frees memtables: while a read hangs in a storage"
              + " engine, no memtable of this node is freed: {}",
          e.toString());
      return Optional.empty();
    }
  }
}
