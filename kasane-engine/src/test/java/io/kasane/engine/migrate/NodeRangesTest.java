/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.junit.jupiter.api.Test;

class NodeRangesTest {
  private static final Murmur3Partitioner PARTITIONER = Murmur3Partitioner.instance;
  private static final Token END = PARTITIONER.getMinimumToken();

  private static Range<Token> range(Token from, Token to) {
    return new Range<>(from, to);
  }

  private static Token token(long token) {
    return new LongToken(token);
  }

  @SafeVarargs
  private static List<Range<Token>> without(Range<Token>... kept) {
    return NodeRanges.without(List.of(kept), PARTITIONER);
  }

  @Test
  void nothingKeptLeavesAll() {
    assertThat(without()).containsExactly(range(END, END));
  }

  @Test
  void allKeptLeavesNothing() {
    assertThat(without(range(END, END))).isEmpty();
    assertThat(without(range(token(5), END), range(END, token(5)))).isEmpty();
    assertThat(without(range(token(5), token(1)), range(token(0), token(6)))).isEmpty();
  }

  @Test
  void theRestLiesBetweenWhatIsKeptInAnyOrder() {
    assertThat(without(range(token(20), token(30)), range(token(-5), token(10))))
        .containsExactly(range(END, token(-5)), range(token(10), token(20)), range(token(30), END));
    assertThat(without(range(token(1), token(5)), range(token(3), token(9))))
        .as("they overlap")
        .containsExactly(range(END, token(1)), range(token(9), END));
    assertThat(without(range(token(9), token(1))))
        .as("it wraps")
        .containsExactly(range(token(1), token(9)));
  }
}
