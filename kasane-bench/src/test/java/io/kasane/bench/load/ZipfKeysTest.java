/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfKeysTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.99, 1.2})
  void shouldDrawEachRankAsOftenAsTheLawSays(double skew) {
    int keys = 1000;
    int draws = 2_000_000;
    ZipfKeys zipf = new ZipfKeys(keys, skew, 7);
    SplittableRandom random = new SplittableRandom(11);
    int[] counts = new int[keys];
    for (int i = 0; i < draws; i++) {
      counts[zipf.next(random)]++;
    }

    double sum = IntStream.rangeClosed(1, keys).mapToDouble(i -> Math.pow(i, -skew)).sum();
    double chiSquare = 0;
    for (int rank = 1; rank <= keys; rank++) {
      double expected = draws * Math.pow(rank, -skew) / sum;
      double difference = counts[zipf.keyOfRank(rank)] - expected;
      chiSquare += difference * difference / expected;
    }
    // 999 degrees of freedom: mean 999, standard deviation 44.7; five of them above the mean.
    assertThat(chiSquare).isLessThan(999 + 5 * 44.7);
  }

  @Test
  void shouldKnowTheShareOfTheHottestKeys() {
    ZipfKeys zipf = new ZipfKeys(4, 1, 1);

    assertThat(zipf.shareOfHottest(0)).isZero();
    assertThat(zipf.shareOfHottest(1)).isCloseTo(12 / 25.0, within(1e-12));
    assertThat(zipf.shareOfHottest(2)).isCloseTo(18 / 25.0, within(1e-12));
    assertThat(zipf.shareOfHottest(4)).isEqualTo(1);
    assertThat(zipf.shareOfHottest(9)).isEqualTo(1);
  }

  @Test
  void shouldPutPointsOnTheRankWhoseIntervalHoldsThem() {
    ZipfKeys zipf = new ZipfKeys(4, 0, 1);

    assertThat(zipf.rankAt(0)).isEqualTo(1);
    assertThat(zipf.rankAt(0.249)).isEqualTo(1);
    assertThat(zipf.rankAt(0.25)).isEqualTo(2);
    assertThat(zipf.rankAt(0.74)).isEqualTo(3);
    assertThat(zipf.rankAt(Math.nextDown(1.0))).isEqualTo(4);
  }

  @Test
  void shouldScatterTheRanksOverAllKeysTheSameWayForASeed() {
    ZipfKeys zipf = new ZipfKeys(1000, 0.99, 3);
    int[] order = IntStream.rangeClosed(1, 1000).map(zipf::keyOfRank).toArray();

    assertThat(IntStream.of(order).sorted().toArray())
        .isEqualTo(IntStream.range(0, 1000).toArray());
    assertThat(order).isNotEqualTo(IntStream.range(0, 1000).toArray());
    ZipfKeys again = new ZipfKeys(1000, 0.99, 3);
    assertThat(IntStream.rangeClosed(1, 1000).map(again::keyOfRank).toArray()).isEqualTo(order);
  }

  @Test
  void shouldRefuseWhatIsNoDistribution() {
    assertThatThrownBy(() -> new ZipfKeys(0, 1, 1)).hasMessageContaining("keys: 0");
    assertThatThrownBy(() -> new ZipfKeys(5, -1, 1)).hasMessageContaining("skew: -1.0");
    assertThatThrownBy(() -> new ZipfKeys(5, Double.NaN, 1)).hasMessageContaining("skew: NaN");
  }
}
