/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.function.BooleanSupplier;

/** Removes all entries of a range, the last one first. For one thread. */
final class EntryRemover {
  /** While a batch is applied LMDB lets no other write, so it is small. */
  private static final long MAX_BYTES = 1 << 20;

  private final EngineTable table;
  private long removed;

  EntryRemover(EngineTable table) {
    this.table = table;
  }

  /** How many entries were removed. */
  long removed() {
    return removed;
  }

  /**
   * Removes entries.
   *
   * @param pauses asked after each
   * @return what is removed up to, after a pause; null at the end
   */
  byte[] run(KeyRange range, BooleanSupplier pauses) {
    EngineBatch batch = new EngineBatch();
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(range, true)) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        batch.delete(key);
        removed++;
        boolean isPaused = pauses.getAsBoolean();
        if (isPaused || batch.bytes() >= MAX_BYTES) {
          table.apply(batch);
          batch = new EngineBatch();
        }
        if (isPaused) {
          return key;
        }
      }
    }
    if (!batch.isEmpty()) {
      table.apply(batch);
    }
    return null;
  }
}
