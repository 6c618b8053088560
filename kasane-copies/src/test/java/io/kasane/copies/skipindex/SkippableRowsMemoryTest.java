/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SkippableRowsMemoryTest {
  private final SkippableRowsMemory memory = new SkippableRowsMemory(1_000);

  @Test
  void aTableMayUseWhatOthersDoNotAndAlwaysAnEqualShare() {
    long[] used = {0, 0};
    memory.add("one", () -> used[0]);
    assertThat(memory.bytesFor("one")).isEqualTo(1_000);
    memory.add("other", () -> used[1]);
    used[0] = 900;
    assertThat(memory.bytesFor("one")).isEqualTo(1_000);
    assertThat(memory.bytesFor("other")).isEqualTo(500);
    used[1] = 300;
    assertThat(memory.bytesFor("one")).isEqualTo(700);
    memory.remove("one");
    assertThat(memory.bytesFor("other")).isEqualTo(1_000);
  }
}
