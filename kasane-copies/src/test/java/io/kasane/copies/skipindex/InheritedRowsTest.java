/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** To find out what a compaction's inputs leave out takes a while where that is much. */
class InheritedRowsTest {
  private static final Set<String> LIVE = Set.of("slow", "merged slow", "copy", "rest");

  private final SkipIndex<Set<String>, String> index =
      new SkipIndex<>(() -> 1_000, () -> LIVE, moment -> moment, Optional.empty());

  @BeforeEach
  void copy() {
    index.add(Map.of("slow", SortedTokenSet.of(1, 2)), List.of("copy"));
  }

  @AfterEach
  void close() {
    index.close();
  }

  @Test
  void allIsInheritedWhereNothingHappensMeanwhile() {
    index.inherit(endingWith(() -> {}), "merged slow");
    assertThat(index.contains("merged slow", 1)).isTrue();
    assertThat(index.contains("merged slow", 2)).isTrue();
  }

  @Test
  void copiesThatAreDroppedMeanwhileAreNotInherited() {
    SortedTokenSet dropped = SortedTokenSet.of(1);
    index.inherit(
        endingWith(() -> index.announce(List.of("copy"), List.of("rest"), dropped, false)),
        "merged slow");
    assertThat(index.contains("merged slow", 1)).isFalse();
    assertThat(index.contains("merged slow", 2)).isTrue();
  }

  @Test
  void nothingIsInheritedIfAllIsForgottenMeanwhile() {
    index.inherit(endingWith(index::clear), "merged slow");
    assertThat(index.contains("merged slow", 1)).isFalse();
    assertThat(index.contains("merged slow", 2)).isFalse();
  }

  /** The claims of the compaction; whoever has gone through all of them runs {@code end}. */
  private static Map<String, SortedTokenSet> endingWith(Runnable end) {
    SortedTokenSet tokens = SortedTokenSet.of(1, 2);
    return new AbstractMap<>() {
      @Override
      public Collection<SortedTokenSet> values() {
        return List.of(tokens);
      }

      @Override
      public Set<Entry<String, SortedTokenSet>> entrySet() {
        return new AbstractSet<>() {
          @Override
          public Iterator<Entry<String, SortedTokenSet>> iterator() {
            return ending(List.of(Map.entry("slow", tokens)).iterator(), end);
          }

          @Override
          public int size() {
            return 1;
          }
        };
      }
    };
  }

  private static <T> Iterator<T> ending(Iterator<T> all, Runnable end) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        if (!all.hasNext()) {
          end.run();
        }
        return all.hasNext();
      }

      @Override
      public T next() {
        return all.next();
      }
    };
  }
}
