/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.tier.MeasuredShare.LookUps;
import org.junit.jupiter.api.Test;

class MeasuredShareTest {
  private LookUps seen = new LookUps(0, 0);
  private final MeasuredShare share = new MeasuredShare(() -> seen);

  @Test
  void nothingIsHotBeforeTheLookUpsAreKnown() {
    assertThat(share.getAsDouble()).isZero();
    seen = new LookUps(100, 100);
    assertThat(share.getAsDouble()).isZero();
  }

  @Test
  void theShareFollowsTheLookUpsThatWait() {
    seen = new LookUps(1_000, 300);
    assertThat(share.getAsDouble()).isCloseTo(0.5, within(1e-9));
    seen = new LookUps(2_000, 500);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen = new LookUps(3_000, 600);
    assertThat(share.getAsDouble()).isZero();
    seen = new LookUps(4_000, 1_600);
    assertThat(share.getAsDouble()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void fewLookUpsSayNothing() {
    seen = new LookUps(1_000, 200);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen = new LookUps(1_100, 300);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
  }
}
