/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageCacheTest {
  private static final int PAGE = PageCache.PAGE_BYTES;

  private final PageCache cache = new PageCache(10 * PAGE);

  @Test
  void shouldHoldWhatWasAdded() {
    cache.add(1, 0, 2 * PAGE);
    assertThat(cache.use(1, PAGE / 2, PAGE + 1)).isTrue();
    assertThat(cache.use(1, PAGE, 2 * PAGE + 1)).as("one byte of a third page").isFalse();
    assertThat(cache.use(2, 0, 1)).as("another file").isFalse();
  }

  @Test
  void shouldForgetWhatWasNotUsedForLong() {
    for (int page = 0; page < 11; page++) {
      add(1, page);
    }
    assertThat(holds(1, 0)).isFalse();
    assertThat(holds(1, 1)).isTrue();
  }

  @Test
  void shouldKeepWhatIsUsedAllTheTimeFromAScan() {
    for (int page = 0; page < 4; page++) {
      add(1, page);
      assertThat(holds(1, page)).isTrue();
    }
    for (int page = 0; page < 1000; page++) {
      add(2, page);
    }
    for (int page = 0; page < 4; page++) {
      assertThat(holds(1, page)).isTrue();
    }
    assertThat(holds(2, 993)).isFalse();
    assertThat(holds(2, 994)).isTrue();
  }

  @Test
  void shouldNotLetOldFavouritesKeepAllThePlace() {
    for (int page = 0; page < 10; page++) {
      add(1, page);
    }
    for (int page = 0; page < 10; page++) {
      assertThat(holds(1, page)).isTrue();
    }
    for (int page = 0; page < 5; page++) {
      add(2, page);
    }
    for (int page = 0; page < 5; page++) {
      assertThat(holds(2, page)).isTrue();
    }
  }

  @Test
  void shouldNotTakeANewFileForAnOldOne() {
    add(1, 0);
    cache.drop(1);
    assertThat(holds(1, 0)).isFalse();
    add(1, 0);
    assertThat(holds(1, 0)).isTrue();
  }

  @Test
  void shouldHoldNothingWithoutMemory() {
    PageCache none = new PageCache(0);
    none.add(1, 0, PAGE);
    assertThat(none.use(1, 0, PAGE)).isFalse();
  }

  private void add(long file, long page) {
    cache.add(file, page * PAGE, (page + 1) * PAGE);
  }

  private boolean holds(long file, long page) {
    return cache.use(file, page * PAGE, (page + 1) * PAGE);
  }
}
