/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyCacheSweepTest {
  private final List<String> cache = new ArrayList<>();
  private int walks;
  private final KeyCacheSweep<String, String> stale =
      new KeyCacheSweep<>(
          cache::size,
          () -> {
            walks++;
            return cache.iterator();
          },
          entry -> entry.substring(0, 1));

  private void caches(String sstable, int rows) {
    for (int row = 0; row < rows; row++) {
      cache.add(sstable + row);
    }
  }

  @Test
  void forgetsWhatIsGoneAndKeepsTheRest() {
    caches("a", 10);
    caches("b", 10);
    stale.replaced("a", 10);
    stale.forget();
    assertThat(cache).hasSize(10).allMatch(entry -> entry.startsWith("b"));
  }

  @Test
  void walksOnceEnoughRowsWereReplaced() {
    caches("a", 10);
    caches("b", 90);
    stale.replaced("a", 10);
    stale.forget();
    assertThat(walks).isZero();
    stale.replaced("c", 40);
    stale.forget();
    stale.forget();
    assertThat(walks).isEqualTo(1);
    assertThat(cache).hasSize(90);
  }

  @Test
  void holdsNoMoreSSTablesThanItMust() {
    caches("a", 100_000);
    for (int i = 0; i < KeyCacheSweep.MAX_SSTABLES; i++) {
      assertThat(walks).isZero();
      stale.replaced("s" + i, 1);
      stale.forget();
    }
    assertThat(walks).isEqualTo(1);
  }

  @Test
  void doesNothingWhereNothingIsGone() {
    stale.forget();
    assertThat(walks).isZero();
  }
}
