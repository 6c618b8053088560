/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last known sizes of one engine and its tables. It is asked on a thread that may hang in it,
 * one at a time; who looks gets what is known, and never waits. Thread-safe.
 *
 * @param <T> its tables
 */
final class SizeCache<T> {
  private static final Logger logger = LoggerFactory.getLogger(SizeCache.class);

  private final AtomicBoolean isAsking = new AtomicBoolean();
  private final Map<T, EngineTable.Size> sizes = new ConcurrentHashMap<>();
  private volatile EngineUsage usage;

  /** What the engine takes; empty if it never said. */
  Optional<EngineUsage> usage() {
    return Optional.ofNullable(usage);
  }

  /** How much a table holds; empty if the engine never said. */
  Optional<EngineTable.Size> size(T table) {
    return Optional.ofNullable(sizes.get(table));
  }

  /** Asks for all, unless an earlier round has not ended; forgets tables that are not there. */
  void ask(
      Executor threads,
      Supplier<EngineUsage> usageOf,
      Set<T> tables,
      Function<T, EngineTable.Size> sizeOf) {
    if (!isAsking.compareAndSet(false, true)) {
      return;
    }
    try {
      threads.execute(
          () -> {
            try {
              sizes.keySet().retainAll(tables);
              remember(() -> usage = usageOf.get());
              tables.forEach(table -> remember(() -> sizes.put(table, sizeOf.apply(table))));
            } finally {
              isAsking.set(false);
            }
          });
    } catch (RuntimeException | Error e) {
      isAsking.set(false); // no thread was to be had
      throw e;
    }
  }

  /** What one table cannot tell, others may. */
  private static void remember(Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException e) {
      logger.debug("An engine did not tell its size; what it said before is shown", e);
    }
  }
}
