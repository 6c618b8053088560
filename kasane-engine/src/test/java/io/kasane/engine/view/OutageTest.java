/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.health.CircuitBreaker.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutageTest {
  private static final State WORKS = new State(null, Duration.ZERO, 2);

  private static State out(String reason, int seconds) {
    return new State(reason, Duration.ofSeconds(seconds), 1);
  }

  @Test
  void shouldSayWhatIsKnownOfReadsAndWrites() {
    assertThat(Outage.of(WORKS, WORKS)).isEqualTo(new Outage(null, 0, 4));
    assertThat(Outage.of(out("slow", 7), WORKS)).isEqualTo(new Outage("slow", 7, 3));
    assertThat(Outage.of(WORKS, out("full", 9))).isEqualTo(new Outage("full", 9, 3));
    assertThat(Outage.of(out("gone", 7), out("gone", 8))).isEqualTo(new Outage("gone", 8, 2));
    assertThat(Outage.of(out("slow", 7), out("full", 6)))
        .isEqualTo(new Outage("reads: slow; writes: full", 7, 2));
  }
}
