/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SortedTokenSetTest {
  private static SortedTokenSet run(Set<Integer> tokens) {
    return SortedTokenSet.of(tokens.stream().mapToLong(i -> i).toArray());
  }

  private static List<Long> tokensOf(SortedTokenSet run) {
    List<Long> all = new ArrayList<>();
    for (SortedTokenSet.Cursor each = run.cursor(); each.isAtToken(); each.next()) {
      all.add(each.token());
    }
    return all;
  }

  @Test
  void holdsTheLargestAndTheSmallestTokens() {
    try (SortedTokenSet run = SortedTokenSet.of(0, Long.MAX_VALUE, -1, Long.MIN_VALUE, 0)) {
      assertThat(tokensOf(run)).containsExactly(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE);
      assertThat(run.contains(Long.MIN_VALUE)).isTrue();
      assertThat(run.contains(Long.MIN_VALUE + 1)).isFalse();
      assertThat(run.contains(Long.MAX_VALUE)).isTrue();
      assertThat(run.size()).isEqualTo(4);
    }
  }

  @Test
  void findsEachOfManyTokensAndNoOther() {
    long[] tokens = new Random(11).longs(100_000).sorted().distinct().toArray();
    try (SortedTokenSet run = SortedTokenSet.of(tokens)) {
      for (long token : tokens) {
        assertThat(run.contains(token)).isTrue();
        boolean isNext = Arrays.binarySearch(tokens, token + 1) >= 0;
        assertThat(run.contains(token + 1)).isEqualTo(isNext);
      }
      assertThat((double) run.bytes() / tokens.length).isBetween(8.0, 9.5);
    }
  }

  @Property
  void sets(
      @ForAll Set<@IntRange(min = -30, max = 30) Integer> some,
      @ForAll Set<@IntRange(min = -30, max = 30) Integer> more) {
    try (SortedTokenSet one = run(some);
        SortedTokenSet other = run(more);
        SortedTokenSet union = SortedTokenSet.union(List.of(one, other, one));
        SortedTokenSet rest = one.without(other);
        SortedTokenSet filtered = one.filter(token -> token % 3 != 0)) {
      for (int token = -31; token <= 31; token++) {
        assertThat(union.contains(token)).isEqualTo(some.contains(token) || more.contains(token));
        assertThat(rest.contains(token)).isEqualTo(some.contains(token) && !more.contains(token));
        assertThat(filtered.contains(token)).isEqualTo(some.contains(token) && token % 3 != 0);
      }
      assertThat(union.size() + one.size() - rest.size()).isEqualTo(one.size() + other.size());
    }
  }

  @Property
  void whatIsRemovedIsGoneAndNothingElse(
      @ForAll Set<@IntRange(min = -200, max = 200) Integer> some,
      @ForAll @Size(max = 5) List<Set<@IntRange(min = -200, max = 200) Integer>> removed) {
    TreeSet<Integer> expected = new TreeSet<>(some);
    try (SortedTokenSet run = run(some);
        SortedTokenSet shared = run.share()) {
      for (Set<Integer> gone : removed) {
        try (SortedTokenSet others = run(gone)) {
          run.removeAll(others);
        }
        expected.removeAll(gone);
        assertThat(run.size()).isEqualTo(expected.size());
      }
      for (int token = -201; token <= 201; token++) {
        assertThat(run.contains(token)).isEqualTo(expected.contains(token));
      }
      List<Long> left = expected.stream().map(Integer::longValue).toList();
      assertThat(tokensOf(run)).isEqualTo(left);
      assertThat(tokensOf(shared)).isEqualTo(left);
      try (SortedTokenSet copy = SortedTokenSet.union(List.of(run))) {
        assertThat(tokensOf(copy)).isEqualTo(left);
      }
    }
  }

  /** As a table has it that has cooled: shard after shard, each from the head of what is left. */
  @Test
  void whatIsRemovedFromTheHeadOnIsLookedAtOnce() {
    int tokens = 1 << 20;
    int shards = 64;
    try (SortedTokenSet run = SortedTokenSet.of(LongStream.range(0, tokens).toArray())) {
      for (int shard = 0; shard < shards - 1; shard++) {
        long from = (long) tokens / shards * shard;
        try (SortedTokenSet gone =
            SortedTokenSet.of(LongStream.range(from, from + tokens / shards).toArray())) {
          run.removeAll(gone);
        }
      }
      assertThat(tokensOf(run)).hasSize(tokens / shards).last().isEqualTo(tokens - 1L);
    }
  }

  @Test
  void aSharedRunOutlivesTheOther() {
    SortedTokenSet run = SortedTokenSet.of(1, 2, 3);
    SortedTokenSet shared = run.share();
    run.close();
    assertThat(shared.contains(2)).isTrue();
    shared.close();
  }

  @Test
  void theLastTokenOfABuilderCanBeTakenBack() {
    try (SortedTokenSetBuilder tokens = new SortedTokenSetBuilder()) {
      tokens.add(1);
      tokens.add(2);
      tokens.removeLast(1);
      tokens.removeLast(2);
      tokens.add(3);
      tokens.add(-5);
      try (SortedTokenSet run = tokens.build()) {
        assertThat(tokensOf(run)).containsExactly(-5L, 1L, 3L);
      }
    }
  }
}
