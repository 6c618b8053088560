/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.version.Mode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractsTest {
  private static final RampOptions DEFAULTS = RampOptions.defaults();
  private static final Levels LEVELS =
      Levels.forKeyspace(
          new KeyspaceFacts("shop", "NetworkTopologyStrategy", Map.of("dc1", 3), false, true));

  @Test
  void whatStandsInATableIsTakenOver() {
    RampOptions hasty =
        DEFAULTS
            .withDeadline(Duration.ofSeconds(1))
            .withGcWindow(Duration.ofSeconds(3))
            .withGcGrace(Duration.ofHours(1))
            .withMaxClockDrift(Duration.ofSeconds(2))
            .withMode(Mode.SMALL);
    Levels all =
        LEVELS
            .withWrites(DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ALL)
            .withMarkerCheck(DefaultConsistencyLevel.ONE)
            .withSecondRound(DefaultConsistencyLevel.ONE);
    TableContract contract =
        TableContract.in("kasane-ramp format 3 " + Contracts.of(hasty, all)).orElseThrow();

    RampOptions taken = Contracts.options(contract, DEFAULTS);
    assertThat(Contracts.of(taken, Contracts.levels(contract, LEVELS)).terms())
        .isEqualTo(contract.terms());
    assertThat(taken.deadline()).isEqualTo(Duration.ofMillis(1_499));
  }

  @Test
  void whatIsNoneIsNamed() {
    for (String term : new String[] {"gcWindow=soon", "gcGrace=", "mode=QUICK", "mode"}) {
      TableContract contract = TableContract.in("{" + term + "}").orElseThrow();
      assertThatThrownBy(() -> Contracts.options(contract, DEFAULTS))
          .isInstanceOf(RefusedSchemaException.class)
          .hasMessageContaining("says " + term)
          .hasMessageContaining("ALTER its comment");
    }
    TableContract contract = TableContract.in("{commit=SOME}").orElseThrow();
    assertThatThrownBy(() -> Contracts.levels(contract, LEVELS))
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("commit=SOME");
  }
}
