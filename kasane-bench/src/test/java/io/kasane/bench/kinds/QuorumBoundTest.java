/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumBoundTest {
  private static final double ROUNDING = 1e-6;

  /** Nodes that make 1,000 reads or 4,000 writes a second, and 10 or 2,000. */
  private static final KindCosts FAST = new KindCosts(1e-3, 0.25e-3);

  private static final KindCosts CHEAP = new KindCosts(0.1, 0.5e-3);

  @Test
  void aClusterOfOneKindHasTheBoundThatItsCostsWereSeenIn() {
    KindCosts seen = KindCosts.ofCluster(1_500, 4_000);
    assertThat(seen.readSeconds()).isCloseTo(1e-3, within(ROUNDING));
    List<KindCosts> nodes = List.of(seen, seen, seen);
    assertThat(QuorumBound.operationsPerSecond(nodes, 1)).isCloseTo(1_500, within(ROUNDING));
    assertThat(QuorumBound.operationsPerSecond(nodes, 0)).isCloseTo(4_000, within(ROUNDING));
  }

  @Test
  void readsBesideWritesCostWhatTheirMixShows() {
    KindCosts seen = KindCosts.ofCluster(1_500, 4_000).withReadsOf(0.5, 900);
    assertThat(QuorumBound.operationsPerSecond(List.of(seen, seen, seen), 0.5))
        .isCloseTo(900, within(ROUNDING));
    KindCosts noDearer = KindCosts.ofCluster(1_500, 4_000).withReadsOf(0.5, 1e6);
    assertThat(noDearer.readSeconds()).isCloseTo(1e-3, within(ROUNDING));
  }

  @Test
  void twoFastNodesMakeTheReadsOfTwoAndTheCheapOneItsFew() {
    double reads = QuorumBound.operationsPerSecond(List.of(FAST, FAST, CHEAP), 1);
    // 2,000 reads of fast nodes and 10 of the cheap one, two for each operation
    assertThat(reads).isCloseTo(1_005, within(ROUNDING));
  }

  @Test
  void aCheapNodeThatCannotMakeTheWritesBoundsThem() {
    assertThat(QuorumBound.operationsPerSecond(List.of(FAST, FAST, CHEAP), 0))
        .isCloseTo(2_000, within(ROUNDING));
  }

  @Test
  void withAFastNodeDownTheCheapOneMakesEveryRead() {
    assertThat(QuorumBound.operationsPerSecond(List.of(FAST, CHEAP), 1))
        .isCloseTo(10, within(ROUNDING));
  }

  @Test
  void noMixExceedsTheBestOfItsKinds() {
    for (double readShare = 0; readShare <= 1; readShare += 0.05) {
      double mix = QuorumBound.operationsPerSecond(List.of(FAST, FAST, CHEAP), readShare);
      double best = QuorumBound.operationsPerSecond(List.of(FAST, FAST, FAST), readShare);
      assertThat(mix).as("reads: %s", readShare).isLessThanOrEqualTo(best + ROUNDING);
    }
  }
}
