/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * What one thread gets from each engine in a second, with rows of 1 KB: header and row at once, by
 * a snapshot, and rows flushed. Run by hand; arguments: a directory, and names of engines for not
 * all.
 */
final class EngineRates {
  private static final int ROWS = 100_000;
  private static final int ROW_BYTES = 1_000;
  private static final int BATCH = 250;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

  private EngineRates() {}

  /** Prints a table of Markdown. */
  public static void main(String[] arguments) throws IOException {
    System.out.println(
        "| engine | getAll of 2 | snapshot, getAll, close | flushed rows, 250 a batch |");
    System.out.println("|-|-|-|-|");
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (arguments.length < 2 || List.of(arguments).contains(provider.name())) {
        Path dir = Files.createDirectories(Path.of(arguments[0], provider.name()));
        try (Engine engine =
            provider.open(new EngineOptions(dir, 2L << 30, 256L << 20, Durability.SYNC))) {
          print(provider.name(), engine);
        }
      }
    }
  }

  private static void print(String name, Engine engine) {
    EngineTable table = engine.table("t");
    SplittableRandom random = new SplittableRandom(1);
    byte[] value = new byte[ROW_BYTES];
    random.nextBytes(value);
    long began = System.nanoTime();
    for (int row = 0; row < ROWS; row += BATCH) {
      EngineBatch batch = new EngineBatch();
      for (int i = 0; i < BATCH; i++) {
        batch.put(key(row + i), value);
      }
      table.apply(batch);
    }
    engine.sync();
    double flushed = ROWS / seconds(began);
    double atOnce = rate(row -> table.getAll(List.of(key(row), key(row + 1))));
    double bySnapshot =
        rate(
            row -> {
              try (var snapshot = table.snapshot()) {
                snapshot.getAll(List.of(key(row), key(row + 1)));
              }
            });
    System.out.printf("| %s | %,.0f | %,.0f | %,.0f |%n", name, atOnce, bySnapshot, flushed);
  }

  private static double rate(IntConsumer read) {
    SplittableRandom random = new SplittableRandom(2);
    for (int warmUp = 0; warmUp < 5_000; warmUp++) {
      read.accept(random.nextInt(ROWS));
    }
    long began = System.nanoTime();
    int reads = 0;
    while (System.nanoTime() - began < NANOS) {
      read.accept(random.nextInt(ROWS));
      reads++;
    }
    return reads / seconds(began);
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static byte[] key(int row) {
    return String.format("%016d", row * 7_919L % 1_000_003).getBytes(StandardCharsets.US_ASCII);
  }
}
