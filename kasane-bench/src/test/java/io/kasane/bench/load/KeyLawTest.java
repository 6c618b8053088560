/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.sim.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
  void aHotspotGetsItsShare() {
    KeyLaw law = KeyLaws.parse("hotspot:0.1:0.8", ROWS, 3);
    assertThat(shareOf(law.hottest(ROWS / 10, 0), counts(law, 0))).isCloseTo(0.8, within(0.005));
  }

  @Test
  void theLatestIsReadMost() {
    Latest law = new Latest(ROWS, 0.99, 3);
    for (int i = 0; i < 5 * ROWS; i++) {
      law.nextUpdate(0);
    }
    int last = law.nextUpdate(0);
    int[] counts = counts(law, 0);

    assertThat(law.hottest(1, 0)).containsExactly(last);
    assertThat(counts[last] / (double) DRAWS).isGreaterThan(0.12); // 1 / H(1000)
    assertThat(shareOf(law.hottest(ROWS / 10, 0), counts)).isGreaterThan(0.65);
  }

  @Test
  void aTraceIsReplayedInItsOrderOverAndOver() {
    ReplayedTrace law = new ReplayedTrace(Trace.of("some", 70, 80, 70, 90), ROWS);
    assertThat(IntStream.range(0, 6).map(i -> law.next(0)).toArray())
        .containsExactly(0, 1, 0, 2, 0, 1);
    assertThat(law.hottest(1, 0)).containsExactly(0);
  }

  @Test
  void aLawMayNameItsExponent() {
    assertThat(KeyLaws.parse("zipf:0.75", ROWS, 3).describe()).contains("0.75");
    assertThat(KeyLaws.parse("scrambled:.75", ROWS, 3).describe()).contains("0.75");
    assertThat(KeyLaws.parse("latest:1.2", ROWS, 3).describe()).contains("1.2");
    assertThat(KeyLaws.parse("shift:0.75", ROWS, 3).describe()).contains("0.75");
    assertThat(KeyLaws.parse("zipf", ROWS, 3).describe()).contains("0.99");
    assertThat(KeyLaws.skewOf("hotspot:0.1:0.8")).isEqualTo(KeyLaws.skewOf("zipf"));
    for (String bad : List.of("zipf:", "zipf:x", "zipf:0", "latest:2.1", "scrambled:1")) {
      assertThatThrownBy(() -> KeyLaws.skewOf(bad)).hasMessageContaining("'" + bad + "'");
    }
  }

  @Test
  void whatIsNoLawIsRefused() {
    assertThatThrownBy(() -> KeyLaws.parse("gauss", ROWS, 3))
        .hasMessageContaining("'gauss'")
        .hasMessageContaining("hotspot");
    assertThatThrownBy(() -> KeyLaws.parse("hotspot:2", ROWS, 3))
        .hasMessageContaining("hotspot:0.05:0.95");
    assertThatThrownBy(() -> KeyLaws.parse("trace:/no/such/file", ROWS, 3))
        .hasMessageContaining("/no/such/file");
  }

  @Test
  void aMixMayChange() {
    assertThat(Mix.parse("95/5")).isEqualTo(Mix.READ_HEAVY);
    assertThat(Mix.parse("95/5-5/95").readShare(0.5)).isCloseTo(0.5, within(1e-9));
    assertThat(Mix.parse("95/5-5/95")).hasToString("95/5 to 5/95");
    for (String bad : List.of("95", "95/6", "x/y", "95/5-", "1/99-2/98-3/97")) {
      assertThatThrownBy(() -> Mix.parse(bad)).hasMessageContaining("'" + bad + "'");
    }
  }

  @Test
  void uniformHasNoHotKeys() {
    UniformKeys law = new UniformKeys(ROWS, 3);
    assertThat(shareOf(law.hottest(ROWS / 10, 0), counts(law, 0))).isCloseTo(0.1, within(0.005));
  }
}
