/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void keepsSamplesEvenlySpreadOverAllTime() {
    History<Integer> history = new History<>(10);
    for (int i = 0; i < 1_000; i++) {
      history.add(i);
      List<Integer> kept = history.all();
      assertThat(kept.get(0)).isZero();
      assertThat(kept).hasSizeBetween(Math.min(i + 1, 5), 10);
      for (int k = 2; k < kept.size(); k++) {
        assertThat(kept.get(k) - kept.get(k - 1)).isEqualTo(kept.get(1) - kept.get(0));
      }
      if (kept.size() > 1) {
        assertThat(i - kept.get(kept.size() - 1)).isLessThan(kept.get(1) - kept.get(0));
      }
    }
  }
}
