/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SortedTokenSetsTest {
  private static final int ROUNDS = 100;

  private final SortedTokenSets<String> runs = new SortedTokenSets<>();

  @AfterEach
  void free() {
    runs.removeSSTables(sstable -> true);
    runs.free();
  }

  private static SortedTokenSet range(long from, long to) {
    return SortedTokenSet.of(LongStream.range(from, to).toArray());
  }

  private int runsOf(String sstable) {
    List<SortedTokenSet> all = runs.share().get(sstable);
    all.forEach(SortedTokenSet::close);
    return all.size();
  }

  @Test
  void manySmallRunsAreFewLargeOnes() {
    for (int i = 0; i < 1_000; i++) {
      runs.add("slow", range(10L * i, 10L * i + 10));
      runs.join("slow");
      runs.free();
      assertThat(runsOf("slow")).isLessThan(8);
    }
    assertThat(runs.size()).isEqualTo(10_000);
    assertThat(runs.contains("slow", 4_321)).isTrue();
    assertThat(runs.contains("other", 4_321)).isFalse();
  }

  @Test
  void memoryOfWhatWasRemovedIsGivenBack() {
    runs.add("slow", range(0, 100_000));
    long before = runs.bytes();
    try (SortedTokenSet most = range(0, 90_000)) {
      runs.remove(most);
    }
    runs.joinAll();
    assertThat(runs.bytes()).isLessThan(before / 8);
    assertThat(runs.size()).isEqualTo(10_000);
    try (SortedTokenSet rest = range(90_000, 100_000)) {
      runs.remove(rest);
    }
    assertThat(runs.isEmpty()).isTrue();
    runs.free();
  }

  @Test
  void onlyWhatAllInputsKnowIsInherited() {
    runs.add("slow", range(0, 10));
    runs.add("slow", range(20, 30));
    runs.add("other", range(5, 25));
    Map<String, SortedTokenSet> claims =
        Map.of("slow", range(0, 22), "other", range(8, 40), "unknown", range(9, 10));
    try (SortedTokenSet all = runs.allOf(claims)) {
      for (int token = 0; token < 40; token++) {
        boolean bySlow = token < 10 || (token >= 20 && token < 22);
        boolean isClaimedOfSlow = token < 22;
        boolean byOther = token >= 5 && token < 25;
        boolean isClaimedOfOther = token >= 8;
        assertThat(all.contains(token))
            .as("%d", token)
            .isEqualTo(
                token != 9 && (bySlow || !isClaimedOfSlow) && (byOther || !isClaimedOfOther));
      }
    }
    claims.values().forEach(SortedTokenSet::close);
  }

  /**
   * A thread asks for tokens that are always there and for one that never is, others join, withdraw
   * and forget meanwhile: memory that is given back too early would be read as anything.
   */
  @Test
  void lookUpsGoOnWhileRunsComeAndGo() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    runs.add("slow", range(0, 1_000));
    Thread reader =
        watched(
            wrong,
            () -> {
              for (long i = 0; !done.get(); i++) {
                assertThat(runs.contains("slow", i % 1_000)).isTrue();
                assertThat(runs.contains("slow", 5_000)).isFalse();
              }
            });
    Thread joiner =
        watched(
            wrong,
            () -> {
              while (!done.get()) {
                runs.joinAll();
                runs.keepOnly(token -> token < 100_000);
                assertThat(runs.bytes()).isPositive();
                runs.free();
              }
            });
    reader.start();
    joiner.start();
    for (int round = 0; round < ROUNDS; round++) {
      synchronized (runs) {
        runs.add("slow", range(1_000, 1_100));
        runs.add("gone", range(0, 500));
        try (SortedTokenSet some = range(1_000, 1_100)) {
          runs.remove(some);
        }
        runs.removeSSTables("gone"::equals);
        assertThat(runs.contains("slow", 1_050)).as("round %d", round).isFalse();
      }
      runs.free();
    }
    done.set(true);
    reader.join();
    joiner.join();
    assertThat(wrong).hasValue(null);
    assertThat(runs.contains("slow", 1_050)).isFalse();
    assertThat(runs.size()).isEqualTo(1_000);
  }

  /** Memory that was given back is seen by Cassandra's assertions, in whatever thread looks. */
  private static Thread watched(AtomicReference<Throwable> wrong, Runnable work) {
    return new Thread(
        () -> {
          try {
            work.run();
          } catch (Throwable e) {
            wrong.compareAndSet(null, e);
          }
        });
  }
}
