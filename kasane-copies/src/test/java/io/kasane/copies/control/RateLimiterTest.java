/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private long nanos;
  private final RateLimiter pace = new RateLimiter(() -> nanos);

  private void after(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void aSecondsUnitsMayPassAtOnceAndNoMore() {
    after(100);
    assertThat(pace.allowed(1_000)).isEqualTo(100);
    after(60_000);
    assertThat(pace.allowed(1_000)).isEqualTo(1_000);
  }

  @Test
  void whatWentBeyondIsPaidBack() {
    after(100);
    assertThat(pace.allowed(1_000)).isEqualTo(100);
    pace.passed(300);
    after(100);
    assertThat(pace.allowed(1_000)).isZero();
    after(200);
    assertThat(pace.allowed(1_000)).isEqualTo(100);
  }

  @Test
  void theLimitMayChange() {
    after(1_000);
    assertThat(pace.allowed(1_000)).isEqualTo(1_000);
    assertThat(pace.allowed(10)).isEqualTo(10);
  }
}
