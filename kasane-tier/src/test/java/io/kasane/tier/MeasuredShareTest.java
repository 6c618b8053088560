/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.host.FileCache;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MeasuredShareTest {
  private Optional<FileCache.Counts> counts = Optional.of(new FileCache.Counts(0, 0));
  private final MeasuredShare share = new MeasuredShare(() -> counts);

  @Test
  void withoutKnowledgeTheShareIsWhole() {
    assertThat(share.getAsDouble()).isEqualTo(0.5);
    counts = Optional.empty();
    assertThat(share.getAsDouble()).isEqualTo(0.5);
  }

  @Test
  void theShareFallsWithTheMisses() {
    seen(10_000, 5_000);
    assertThat(share.getAsDouble()).isEqualTo(0.5);
    seen(20_000, 14_500); // 500 misses in the last 10,000
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen(30_000, 24_500);
    assertThat(share.getAsDouble()).isZero();
  }

  @Test
  void fewRequestsSayNothing() {
    seen(10_000, 9_500);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen(10_100, 9_500);
    assertThat(share.getAsDouble()).isCloseTo(0.25, within(1e-9));
    seen(20_000, 9_500); // all of the last 10,000
    assertThat(share.getAsDouble()).isEqualTo(0.5);
  }

  private void seen(long requests, long hits) {
    counts = Optional.of(new FileCache.Counts(requests, hits));
  }
}
