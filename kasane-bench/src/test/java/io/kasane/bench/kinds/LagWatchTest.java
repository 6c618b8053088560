/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LagWatchTest {
  private final LagWatch lag = new LagWatch();

  @Test
  void aQueueIsAsLongAsItTakesToWorkItOff() {
    lag.sample(List.of(new long[] {0, 0}, new long[] {0, 0}), 1);
    lag.sample(List.of(new long[] {0, 1_000}, new long[] {300, 200}), 2);
    assertThat(lag.maxSeconds()).isEqualTo(3);
    lag.sample(List.of(new long[] {0, 2_000}, new long[] {10, 1_000}), 1);
    assertThat(lag.maxSeconds()).as("the longest stays").isEqualTo(3);
  }

  @Test
  void aReplicaThatMakesNothingIsBehindByTheTimeWatched() {
    lag.sample(List.of(new long[] {5, 10}), 1);
    lag.sample(List.of(new long[] {5, 10}), 4);
    assertThat(lag.maxSeconds()).isEqualTo(4);
  }

  @Test
  void whoHasNothingToDoIsNotBehind() {
    lag.sample(List.of(new long[] {0, 10}), 1);
    lag.sample(List.of(new long[] {0, 10}), 1);
    assertThat(lag.maxSeconds()).isZero();
  }
}
