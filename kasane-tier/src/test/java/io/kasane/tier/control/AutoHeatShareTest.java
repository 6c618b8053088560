/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.tier.control.AutoHeatShare.Waits;
import org.junit.jupiter.api.Test;

class AutoHeatShareTest {
  private Waits seen = new Waits(0, 0);
  private final AutoHeatShare share = new AutoHeatShare(() -> seen);

  @Test
  void nothingIsHotBeforeAFlush() {
    assertThat(share.getAsDouble()).isZero();
    seen = new Waits(0, 10_000);
    assertThat(share.getAsDouble()).isZero();
  }

  @Test
  void theShareFollowsTheWaitsOfAFlush() {
    seen = new Waits(1, 300);
    assertThat(share.getAsDouble()).isCloseTo(0.5, within(1e-9));
    seen = new Waits(3, 700);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen = new Waits(4, 800);
    assertThat(share.getAsDouble()).isZero();
    seen = new Waits(5, 5_000);
    assertThat(share.getAsDouble()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void betweenFlushesTheShareStays() {
    seen = new Waits(1, 200);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen = new Waits(1, 2_000);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
  }
}
