/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RampOptionsTest {
  private static final RampOptions DEFAULTS = RampOptions.defaults();

  @Test
  void eachMayBeChosen() {
    RampOptions chosen =
        DEFAULTS
            .withMode(Mode.HYBRID)
            .withFilterFalsePositives(0.5)
            .withCheckMarkers(false)
            .withMaxClockDrift(Duration.ofMillis(1))
            .withDeadline(Duration.ofMillis(2))
            .withGcWindow(Duration.ofMillis(5))
            .withGcGrace(Duration.ofMillis(6))
            .withMaxRounds(7)
            .withMaxValueBytes(8)
            .withMaxSiblingBytes(9)
            .withMaxFloors(10)
            .withMaxWaitingBytes(1 << 20);

    assertThat(chosen)
        .isEqualTo(
            new RampOptions(
                Mode.HYBRID,
                0.5,
                false,
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofMillis(6),
                Duration.ofMillis(2),
                7,
                8,
                9,
                10,
                1 << 20));
  }

  @Test
  void nonsenseIsRefusedInWords() {
    refused(() -> DEFAULTS.withDeadline(Duration.ofSeconds(30)), "PT30S, not under half");
    refused(() -> DEFAULTS.withFilterFalsePositives(1), "1.0, not above 0 and below 1");
    refused(() -> DEFAULTS.withFilterFalsePositives(Double.NaN), "NaN");
    refused(() -> DEFAULTS.withMaxClockDrift(Duration.ofMillis(-1)), "maxClockDrift is PT-0.001S");
    refused(() -> DEFAULTS.withGcWindow(Duration.ZERO), "gcWindow is PT0S");
    refused(() -> DEFAULTS.withGcGrace(Duration.ofSeconds(59)), "PT59S, the least is PT1M");
    refused(() -> DEFAULTS.withDeadline(Duration.ZERO), "deadline is PT0S");
    refused(() -> DEFAULTS.withMaxRounds(2), "maxRounds is 2, the least is 3");
    refused(() -> DEFAULTS.withMaxValueBytes(0), "maxValueBytes is 0");
    refused(() -> DEFAULTS.withMaxSiblingBytes(0), "maxSiblingBytes is 0");
    refused(() -> DEFAULTS.withMaxFloors(0), "maxFloors is 0");
    refused(() -> DEFAULTS.withMaxWaitingBytes(9), "maxWaitingBytes is 9, the least is 65536");
  }

  private static void refused(Supplier<RampOptions> options, String words) {
    assertThatThrownBy(options::get)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
