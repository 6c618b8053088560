/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TieredOptionsTest {
  private static final String STOCK = "org.apache.cassandra.db.compaction.";
  private static final String WINDOWS = STOCK + "TimeWindowCompactionStrategy";

  @Test
  void windowsStay() {
    assertThat(
            TieredOptions.of(
                Map.of(
                    "class",
                    WINDOWS,
                    "compaction_window_size",
                    "6",
                    "compaction_window_unit",
                    "HOURS",
                    "max_threshold",
                    "16",
                    "unsafe_aggressive_sstable_expiration",
                    "false")))
        .isEqualTo(
            Map.of(
                "class",
                TieredOptions.STRATEGY,
                "compaction_window_size",
                "6",
                "compaction_window_unit",
                "HOURS",
                "max_threshold",
                "16"));
  }

  @Test
  void windowsThatNobodyNamedAreStocksDefault() {
    assertThat(TieredOptions.of(Map.of("class", WINDOWS)))
        .isEqualTo(Map.of("class", TieredOptions.STRATEGY, "compaction_window_unit", "DAYS"));
  }

  @Test
  void windowsThatGoTooEarlyAreRefused() {
    assertThatThrownBy(
            () ->
                TieredOptions.of(
                    Map.of("class", WINDOWS, "unsafe_aggressive_sstable_expiration", "true")))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("unsafe_aggressive_sstable_expiration is 'true'");
  }

  @Test
  void ofOtherStrategiesNothingStays() {
    assertThat(
            TieredOptions.of(
                Map.of("class", STOCK + "SizeTieredCompactionStrategy", "max_threshold", "16")))
        .isEqualTo(Map.of("class", TieredOptions.STRATEGY));
  }

  @Test
  void cqlIsWhatAnAlterTakes() {
    assertThat(TieredOptions.cql(TieredOptions.of(Map.of("class", WINDOWS))))
        .isEqualTo("{'class': '" + TieredOptions.STRATEGY + "', 'compaction_window_unit': 'DAYS'}");
  }
}
