/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static io.kasane.engine.contract.Entries.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is smaller than the capacity: what does not fit is refused, and reads and deletions
 * go on.
 */
public abstract class EngineFullDiskContract {
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final long MEMORY_BYTES = 32L << 20;
  private static final int ROW_BYTES = 10_000;
  private static final int BATCH_ROWS = 20;

  private final Random random = new Random(1);

  @TempDir private Path dir;

  /** The kind under test. */
  protected abstract EngineProvider provider();

  /** How large the disk is. */
  protected long diskBytes() {
    return 128L << 20;
  }

  /** What it takes of rows at least. */
  protected long leastRowBytes() {
    return diskBytes() / 2;
  }

  private Engine open(PowerCutDisk disk) {
    return provider()
        .open(
            new EngineOptions(
                disk.directory().resolve("engine"), CAPACITY_BYTES, MEMORY_BYTES, Durability.SYNC));
  }

  @Test
  void aFullDiskTakesDeletionsAndThenRowsAgain() throws Exception {
    assumeThat(PowerCutDisk.isPossible(dir)).as("root, and disks in files").isTrue();
    try (PowerCutDisk disk = PowerCutDisk.create(dir, diskBytes());
        Engine engine = open(disk)) {
      EngineTable table = engine.table("t");
      int most = fill(engine, table, 0);
      assertThat(most * (long) ROW_BYTES).isGreaterThan(leastRowBytes());
      int[] rows = {most};
      for (int round = 0; round < 2; round++) {
        assertThat(count(table)).isEqualTo(rows[0]);
        delete(engine, table, rows[0]);
        assertThat(count(table)).isZero();
        rows[0] = 0;
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> {
                  rows[0] = fill(engine, table, rows[0]);
                  return rows[0] > most / 2;
                });
      }
    }
  }

  private static void delete(Engine engine, EngineTable table, int rows) {
    for (int row = 0; row < rows; row += BATCH_ROWS) {
      EngineBatch deletions = new EngineBatch();
      for (int i = 0; i < BATCH_ROWS; i++) {
        deletions.delete(key(row + i));
      }
      table.apply(deletions);
      engine.sync();
    }
  }

  /** Puts rows until some are refused, and returns how many there are. */
  private int fill(Engine engine, EngineTable table, int from) {
    int rows = from;
    try {
      for (; rows * (long) ROW_BYTES < CAPACITY_BYTES; rows += BATCH_ROWS) {
        put(engine, table, rows);
      }
    } catch (EngineException e) {
      assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.FULL);
    }
    return rows;
  }

  private void put(Engine engine, EngineTable table, int from) {
    EngineBatch batch = new EngineBatch();
    for (int i = 0; i < BATCH_ROWS; i++) {
      byte[] value = new byte[ROW_BYTES];
      random.nextBytes(value);
      batch.put(key(from + i), value);
    }
    table.apply(batch);
    engine.sync();
  }

  private static int count(EngineTable table) {
    int count = 0;
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  private static byte[] key(int row) {
    return bytes(String.format("%08d", row));
  }
}
