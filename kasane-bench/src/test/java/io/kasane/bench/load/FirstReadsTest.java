/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstReadsTest {
  @Test
  void shouldCountEachRowOnce() {
    FirstReads reads = new FirstReads(65);
    for (int row : new int[] {0, 31, 32, 64, 31, 0}) {
      reads.read(row);
    }
    assertThat(reads.take()).isEqualTo(4);
    reads.read(64);
    reads.read(63);
    assertThat(reads.take()).isEqualTo(1);
  }
}
