/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CqlStoreOptionsTest {
  private static final CqlStoreOptions DEFAULTS = CqlStoreOptions.defaults();

  @Test
  void shouldChangeOneThingAtATime() {
    CqlStoreOptions changed =
        DEFAULTS
            .withBatches(3, 5)
            .withExecutionProfile("slow")
            .withCreateTables(false)
            .withMaxInFlight(7)
            .withMaxWaitingBytes(9)
            .withPageRows(11)
            .withMaxCandidates(13)
            .withMaxCheckedKeys(15);

    assertThat(changed).isEqualTo(new CqlStoreOptions("slow", false, 7, 9, 11, 13, 3, 5, 15));
  }

  @Test
  void shouldRefuseWhatCannotBeNamingSettingValueAndBound() {
    assertThatThrownBy(() -> DEFAULTS.withBatches(0, 1))
        .hasMessage("maxBatchRows: 0 is below the least, 1");
    assertThatThrownBy(() -> DEFAULTS.withBatches(1, 0))
        .hasMessage("maxBatchBytes: 0 is below the least, 1");
    assertThatThrownBy(() -> DEFAULTS.withBatches(1001, 1))
        .hasMessage("maxBatchRows: 1001 is above the most, 1000");
    assertThatThrownBy(() -> DEFAULTS.withMaxCheckedKeys(0))
        .hasMessage("maxCheckedKeys: 0 is below the least, 1");
    assertThatThrownBy(() -> DEFAULTS.withMaxCheckedKeys(1001))
        .hasMessage("maxCheckedKeys: 1001 is above the most, 1000");
  }
}
