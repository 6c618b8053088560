/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WithinTransactionTest {
  @Test
  void whatLeavesATransactionIsRefusedThereAndNowhereElse() {
    WithinTransaction.refuse("a read");
    int value =
        WithinTransaction.run(
            () -> {
              assertThat(WithinTransaction.<Integer>run(() -> 3)).isEqualTo(3);
              assertThatThrownBy(() -> WithinTransaction.refuse("a read"))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("a read within a read transaction")
                  .hasMessageContaining("reader that the function is given");
              return 7;
            });
    assertThat(value).isEqualTo(7);
    assertThatThrownBy(
            () ->
                WithinTransaction.run(
                    () -> {
                      throw new IllegalArgumentException("its own");
                    }))
        .hasMessage("its own");
    WithinTransaction.refuse("a read");
  }
}
