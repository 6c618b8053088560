/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AppendOnlyFileTest {
  private static final String INFO =
      "# Memory\r\nused_memory:17\r\nused_memory_dataset:18446744073692858392\r\nx:1.5\r\n";

  @Test
  void numbersAreFoundByTheirNames() {
    assertThat(AppendOnlyFile.number(INFO, "used_memory")).isEqualTo(17);
    assertThat(AppendOnlyFile.number(INFO, "unknown")).isZero();
  }

  /** So a server tells of its data that has just dropped all of them. */
  @Test
  void aNumberBelowZeroIsNone() {
    assertThat(AppendOnlyFile.number(INFO, "used_memory_dataset")).isZero();
  }
}
