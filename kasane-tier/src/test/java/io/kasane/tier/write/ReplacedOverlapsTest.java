/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplacedOverlapsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger refreshes = new AtomicInteger();
  private final ReplacedOverlaps overlaps =
      new ReplacedOverlaps(refreshes::incrementAndGet, nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    overlaps.rowWritten();
  }

  @Test
  void looksTwiceASecondHoweverManyRowsAreWritten() {
    for (int i = 0; i < 10_000; i++) {
      pass(1);
    }
    assertThat(refreshes).hasValue(20);
  }

  @Test
  void looksOnceAfterARowThatTookLong() {
    pass(60_000);
    pass(1);
    assertThat(refreshes).hasValue(1);
  }
}
