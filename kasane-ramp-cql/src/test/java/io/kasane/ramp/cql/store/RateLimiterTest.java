/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  @Test
  void noMoreRowsGoThanWereAllowed() throws InterruptedException {
    RateLimiter pace = new RateLimiter(100);
    long began = System.nanoTime();
    for (int taken = 0; taken < 40; taken += 10) {
      pace.take(10);
    }
    // The last ten go when the thirty before them are paid for.
    assertThat(System.nanoTime() - began)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(299));
  }
}
