/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WrittenTokensTest {
  /** What happens to a row: nothing, copied, inherited of one input or of two. */
  private static final int KINDS = 4;

  @Property
  void whatIsSaidOfATokenHoldsForAllItsRows(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 59) Integer> rows) {
    // Token and kind of each row, in the order of tokens.
    List<int[]> written =
        rows.stream().sorted().map(row -> new int[] {row / KINDS, row % KINDS}).toList();
    Map<Integer, Integer> rowsByToken = new TreeMap<>();
    written.forEach(row -> rowsByToken.merge(row[0], 1, Integer::sum));
    try (WrittenTokens<String> tokens = new WrittenTokens<>()) {
      for (int[] row : written) {
        switch (row[1]) {
          case 1 -> tokens.copied(row[0]);
          case 2 -> tokens.inherited(row[0], List.of("a"));
          case 3 -> tokens.inherited(row[0], List.of("a", "b"));
          default -> {}
        }
        tokens.written(row[0]);
      }
      assertThat(tokens.isSource()).isEqualTo(written.stream().anyMatch(row -> row[1] == 1));
      try (SortedTokenSet copied = tokens.allCopied()) {
        assertThat(longs(copied)).isEqualTo(alone(written, rowsByToken, 1, 1));
      }
      Map<String, SortedTokenSet> inherited = tokens.allInherited();
      try (SortedTokenSet a = inherited.getOrDefault("a", SortedTokenSet.of());
          SortedTokenSet b = inherited.getOrDefault("b", SortedTokenSet.of())) {
        assertThat(longs(a)).isEqualTo(alone(written, rowsByToken, 2, 3));
        assertThat(longs(b)).isEqualTo(alone(written, rowsByToken, 3, 3));
      }
    }
  }

  private static Set<Long> alone(
      List<int[]> rows, Map<Integer, Integer> rowsByToken, int fromKind, int toKind) {
    Set<Long> tokens = new TreeSet<>();
    for (int[] row : rows) {
      if (rowsByToken.get(row[0]) == 1 && row[1] >= fromKind && row[1] <= toKind) {
        tokens.add((long) row[0]);
      }
    }
    return tokens;
  }

  private static Set<Long> longs(SortedTokenSet run) {
    Set<Long> all = new TreeSet<>();
    for (SortedTokenSet.Cursor each = run.cursor(); each.isAtToken(); each.next()) {
      all.add(each.token());
    }
    return all;
  }

  @Test
  void copiesThatAreThrownAwayHaveNoSource() {
    try (WrittenTokens<String> tokens = new WrittenTokens<>()) {
      tokens.copied(1);
      tokens.written(1);
      tokens.withoutCopied();
      assertThat(tokens.isSource()).isFalse();
      try (SortedTokenSet none = tokens.allCopied()) {
        assertThat(none.size()).isZero();
      }
    }
  }
}
