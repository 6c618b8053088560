/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlushedHotShareTest {
  private final FlushedHotShare share = new FlushedHotShare();

  @Test
  void shouldTrustNothingAtFirst() {
    assertThat(share.isMuch()).isFalse();
    share.flushed(0, 0);
    assertThat(share.isMuch()).isFalse();
  }

  @Test
  void shouldTakeSomeFlushesToBelieveAndSomeToForget() {
    share.flushed(60, 100);
    assertThat(share.isMuch()).as("after one flush").isFalse();
    share.flushed(60, 100);
    assertThat(share.isMuch()).as("after two").isTrue();
    share.flushed(0, 100);
    assertThat(share.isMuch()).as("after one that was cold").isFalse();
  }

  @Test
  void shouldNeverBelieveWhereFewAreRead() {
    for (int i = 0; i < 100; i++) {
      share.flushed(20, 100);
      assertThat(share.isMuch()).isFalse();
    }
  }

  @Test
  void shouldStayConvincedWhileAQuarterIsRead() {
    for (int i = 0; i < 100; i++) {
      share.flushed(40, 100);
      assertThat(share.isMuch()).isEqualTo(i >= 3);
    }
  }
}
