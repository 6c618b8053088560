/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import site.ycsb.generator.ScrambledZipfianGenerator;

class KeyLawTest {
  private static final int ROWS = 1000;
  private static final int DRAWS = 400_000;

  private static int[] counts(KeyLaw law, double progress) {
    int[] counts = new int[ROWS];
    for (int i = 0; i < DRAWS; i++) {
      counts[law.next(progress)]++;
    }
    return counts;
  }

  private static double shareOf(int[] keys, int[] counts) {
    return Arrays.stream(keys).mapToDouble(key -> counts[key]).sum() / DRAWS;
  }

  @Test
  void exactZipfGivesTheHottestTenthItsShare() {
    ExactZipf law = new ExactZipf(ROWS, 0.99, 3);
    double expected = law.shareOfHottest(ROWS / 10);

    assertThat(expected).isBetween(0.68, 0.70); // H(100) / H(1000) at s = 0.99
    assertThat(shareOf(law.hottest(ROWS / 10, 0), counts(law, 0)))
        .isCloseTo(expected, within(0.005));
  }

  @Test
  void scrambledZipfSumsAsYcsbDoes() {
    // The constant in YCSB's ScrambledZipfianGenerator.
    assertThat(ScrambledZipf.zeta(10_000_000_000L, 0.99))
        .isCloseTo(26.46902820178302, within(1e-9));
  }

  @Test
  void scrambledZipfDrawsAsYcsbDoes() {
    ScrambledZipfianGenerator ycsb = new ScrambledZipfianGenerator(0, ROWS - 1);
    int[] theirs = new int[ROWS];
    for (int i = 0; i < DRAWS; i++) {
      theirs[ycsb.nextValue().intValue()]++;
    }
    ScrambledZipf law = new ScrambledZipf(ROWS, 0.99, 3);
    int[] ours = counts(law, 0);

    int[] hottest = law.hottest(ROWS / 10, 0);
    assertThat(shareOf(hottest, ours)).isCloseTo(shareOf(hottest, theirs), within(0.005));
    assertThat(ours[hottest[0]] / (double) theirs[hottest[0]]).isCloseTo(1, within(0.05));
  }

  @Test
  void aShiftMakesOtherKeysHot() {
    Shifted law = new Shifted(new ExactZipf(ROWS, 0.99, 3), ROWS, 0.5);
    int[] before = law.hottest(ROWS / 10, 0.1);
    int[] after = law.hottest(ROWS / 10, 0.9);

    assertThat(shareOf(before, counts(law, 0.1))).isGreaterThan(0.6);
    assertThat(shareOf(after, counts(law, 0.9))).isGreaterThan(0.6);
    assertThat(shareOf(before, counts(law, 0.9))).isLessThan(0.4);
  }

  @Test
  void uniformHasNoHotKeys() {
    UniformKeys law = new UniformKeys(ROWS, 3);
    assertThat(shareOf(law.hottest(ROWS / 10, 0), counts(law, 0))).isCloseTo(0.1, within(0.005));
  }
}
