/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private long nowNanos = -5;
  private final CircuitBreaker breaker = new CircuitBreaker(() -> nowNanos);

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  @Test
  void shouldKeepAnEngineOutUntilAProbeSucceeds() {
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.beginsProbe()).as("nothing to probe").isFalse();
    breaker.failed("late");
    assertThat(breaker.isClosed()).isFalse();
    assertThat(breaker.beginsProbe()).as("too soon").isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(breaker.beginsProbe()).isTrue();
    assertThat(breaker.beginsProbe()).as("one at a time").isFalse();
    assertThat(breaker.isClosed()).as("while it is probed").isFalse();
    breaker.probed(null);
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.state()).isEqualTo(new CircuitBreaker.State(null, Duration.ZERO, 1));
  }

  @Test
  void shouldProbeEverMoreRarely() {
    breaker.failed("late");
    List<Long> pauses = new ArrayList<>();
    for (int probe = 0; probe < 8; probe++) {
      long seconds = 0;
      while (!breaker.beginsProbe()) {
        pass(Duration.ofSeconds(1));
        seconds++;
      }
      pauses.add(seconds);
      breaker.probed("still");
    }
    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    CircuitBreaker.State state = breaker.state();
    assertThat(state.reason()).isEqualTo("still");
    assertThat(state.failures()).isEqualTo(9);
    assertThat(state.outFor()).isEqualTo(Duration.ofSeconds(183));
  }

  @Test
  void shouldStayOutSinceTheFirstFailure() {
    breaker.failed("late");
    pass(Duration.ofMillis(500));
    breaker.failed("full");
    pass(Duration.ofMillis(500));
    assertThat(breaker.state())
        .isEqualTo(new CircuitBreaker.State("full", Duration.ofSeconds(1), 2));
    assertThat(breaker.beginsProbe()).as("calls that fail do not put probes off").isTrue();
    breaker.probed(null);
    breaker.failed("again");
    assertThat(breaker.beginsProbe()).as("the pause is short again").isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(breaker.beginsProbe()).isTrue();
  }

  @Test
  void shouldProbeOnceWhatIsSuspected() {
    breaker.suspected();
    assertThat(breaker.isClosed()).as("it may be one table's alone").isTrue();
    assertThat(breaker.beginsProbe()).isTrue();
    assertThat(breaker.probed(null)).as("works again").isFalse();
    assertThat(breaker.beginsProbe()).isFalse();
    breaker.suspected();
    assertThat(breaker.beginsProbe()).isTrue();
    assertThat(breaker.probed("broken")).as("out from now on").isTrue();
    assertThat(breaker.state()).isEqualTo(new CircuitBreaker.State("broken", Duration.ZERO, 1));
    breaker.suspected();
    assertThat(breaker.beginsProbe()).as("too soon").isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(breaker.beginsProbe()).isTrue();
    assertThat(breaker.probed("still broken")).as("out from now on").isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(breaker.beginsProbe()).isTrue();
    assertThat(breaker.probed(null)).as("works again").isTrue();
    assertThat(breaker.beginsProbe()).as("what was suspected while it was out").isFalse();
  }

  @Test
  void shouldRefuseTheResultOfNoProbe() {
    assertThatIllegalStateException().isThrownBy(() -> breaker.probed(null));
  }
}
