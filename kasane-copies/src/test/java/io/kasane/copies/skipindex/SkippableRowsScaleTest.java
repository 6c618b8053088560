/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it costs to know of so many rows that reads may leave them out: {@code
 * -Dkasane.leftout.rows=50000000}. They come as promotion brings them, some thousands at once, to
 * SSTables in turn.
 */
class SkippableRowsScaleTest {
  private static final int ROWS = Integer.getInteger("kasane.leftout.rows", 400_000);
  private static final int SSTABLES = 8;
  private static final int BATCH_ROWS = 10_000;
  private static final int ASKED = 2_000_000;
  private static final int WITHDRAWN = 100_000;

  @TempDir private Path dir;

  private final Set<String> live = new HashSet<>(Set.of("copy", "rest"));
  private SkipIndex<Set<String>, String> skipIndex;

  private SkipIndex<Set<String>, String> open() {
    Set<String> moment = Set.copyOf(live);
    SkipIndexLog<String> log =
        new SkipIndexLog<>(dir.resolve("log"), name -> name, System::nanoTime);
    return new SkipIndex<>(() -> 1L << 40, () -> moment, same -> same, Optional.of(log));
  }

  private static String slow(int row) {
    return "slow" + row / BATCH_ROWS % SSTABLES;
  }

  /** Each row has a token of its own. */
  private static long token(long row) {
    long z = (row + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  @Test
  void manyRowsTakeEightBytesEachAndNoHeap() throws IOException {
    for (int i = 0; i < SSTABLES; i++) {
      live.add("slow" + i);
    }
    skipIndex = open();
    skipIndex.restore(this::liveByName);
    long heapBefore = usedHeap();
    List<Long> batchMicros = new ArrayList<>();
    long began = System.nanoTime();
    for (int row = 0; row < ROWS; row += BATCH_ROWS) {
      long batch = System.nanoTime();
      int from = row;
      SortedTokenSet run =
          SortedTokenSet.of(
              LongStream.range(from, from + BATCH_ROWS)
                  .map(SkippableRowsScaleTest::token)
                  .toArray());
      skipIndex.add(Map.of(slow(row), run), List.of("copy"));
      batchMicros.add((System.nanoTime() - batch) / 1_000);
    }
    double addNanos = (System.nanoTime() - began) / (double) ROWS;
    batchMicros.sort(null);
    skipIndex.retain(Set.copyOf(live), token -> true);
    assertThat(skipIndex.size()).isEqualTo(ROWS);
    long heap = usedHeap() - heapBefore;
    double bytes = skipIndex.bytes() / (double) ROWS;
    double found = askNanos(0, true);
    double notFound = askNanos(ROWS, false);

    began = System.nanoTime();
    SortedTokenSet dropped =
        SortedTokenSet.of(
            LongStream.range(0, WITHDRAWN).map(SkippableRowsScaleTest::token).toArray());
    skipIndex.announce(List.of("copy"), List.of("rest"), dropped, false);
    double withdrawNanos = (System.nanoTime() - began) / (double) WITHDRAWN;
    assertThat(skipIndex.size()).isEqualTo(ROWS - WITHDRAWN);
    assertThat(skipIndex.contains(slow(0), token(0))).isFalse();
    long logBytes = Files.size(dir.resolve("log"));
    skipIndex.close();

    began = System.nanoTime();
    skipIndex = open();
    skipIndex.restore(this::liveByName);
    double restartMillis = (System.nanoTime() - began) / 1e6;
    assertThat(skipIndex.size()).isEqualTo(ROWS - WITHDRAWN);
    assertThat(skipIndex.contains(slow(0), token(0))).isFalse();
    assertThat(skipIndex.contains(slow(ROWS - 1), token(ROWS - 1))).isTrue();
    skipIndex.close();

    System.out.printf(
        Locale.ROOT,
        "| rows | bytes a row | heap | ns to add a row | a batch of %,d, longest | ns a look-up,"
            + " found | not found | ns to withdraw a row | log | restart |%n"
            + "|-|-|-|-|-|-|-|-|-|-|%n"
            + "| %,d | %.2f | %,d KB | %.0f | %,d ms | %.0f | %.0f | %.0f | %,d MB | %,.0f ms |%n",
        BATCH_ROWS,
        ROWS,
        bytes,
        Math.max(0, heap) / 1_000,
        addNanos,
        batchMicros.get(batchMicros.size() - 1) / 1_000,
        found,
        notFound,
        withdrawNanos,
        logBytes / 1_000_000,
        restartMillis);
    assertThat(bytes).isLessThan(12);
    assertThat(heap).isLessThan(4_000_000L + ROWS / 10);
  }

  private double askNanos(int from, boolean expected) {
    SplittableRandom random = new SplittableRandom(1);
    int[] rows = random.ints(ASKED, 0, ROWS).toArray();
    String[] sstables = new String[SSTABLES];
    for (int i = 0; i < SSTABLES; i++) {
      sstables[i] = "slow" + i;
    }
    int wrong = 0;
    long began = System.nanoTime();
    for (int row : rows) {
      String slow = sstables[row / BATCH_ROWS % SSTABLES];
      wrong += skipIndex.contains(slow, token((long) from + row)) == expected ? 0 : 1;
    }
    double nanos = (System.nanoTime() - began) / (double) ASKED;
    assertThat(wrong).isZero();
    return nanos;
  }

  private Map<String, String> liveByName() {
    return live.stream().collect(Collectors.toMap(Function.identity(), name -> name));
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
