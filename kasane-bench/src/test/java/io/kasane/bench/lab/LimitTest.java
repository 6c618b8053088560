/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.load.Mix;
import org.junit.jupiter.api.Test;

class LimitTest {
  private static final int ROWS = 10_000;

  private static double limit(String law, Mix mix, int inFront) {
    KeyLaw keys = KeyLaws.parse(law, ROWS, 1);
    return Limit.operationsPerSecond(keys, mix, inFront, 10_000_000);
  }

  @Test
  void shouldBeWhatOneHeadServesOfTheReadsThatMissFast() {
    // A tenth is in front; of 100 operations 50 read, 45 of these the slow disk, at 100 a second.
    assertThat(limit("uniform", Mix.HALF, ROWS / 10)).isCloseTo(100 / 0.45, within(2.0));
    assertThat(limit("uniform", Mix.WRITE_HEAVY, ROWS / 10)).isCloseTo(100 / 0.045, within(20.0));
    assertThat(limit("uniform", Mix.HALF, ROWS)).isInfinite();
  }

  @Test
  void shouldKnowWhichRowsAreHot() {
    assertThat(limit("hotspot:0.05:0.95", Mix.HALF, ROWS / 20))
        .isCloseTo(100 / 0.025, within(200.0));
    assertThat(limit("zipf:0.99", Mix.HALF, ROWS / 10))
        .isGreaterThan(2 * limit("uniform", Mix.HALF, ROWS / 10));
  }
}
