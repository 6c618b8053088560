/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowTierSlotsTest {
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "8, 7"})
  void tablesShareTheCompactorsButForOne(int compactors, int slots) {
    SlowTierSlots node = new SlowTierSlots(() -> compactors);
    RunningTasks one = new RunningTasks(node);
    RunningTasks other = new RunningTasks(node);
    for (int i = 0; i < slots; i++) {
      assertThat(other.slowTasks()).as("%d run", i).isEqualTo(SlowTierLoad.NONE);
      one.begin(Pick.Kind.SLOW_ONLY, List.of(), 0);
    }
    assertThat(one.slowTasks()).isEqualTo(SlowTierLoad.ENOUGH);
    assertThat(other.slowTasks()).isEqualTo(SlowTierLoad.ENOUGH);
    one.end(one.all().get(0));
    assertThat(other.slowTasks()).isEqualTo(SlowTierLoad.NONE);
    assertThat(one.slowTasks()).isEqualTo(slots == 1 ? SlowTierLoad.NONE : SlowTierLoad.SOME);
  }

  @Test
  void whatIsQuickTakesNoSlot() {
    RunningTasks tasks = new RunningTasks(new SlowTierSlots(() -> 2));
    RunningTasks.Entry merge = tasks.begin(Pick.Kind.FAST_ONLY, List.of(), 0);
    tasks.begin(Pick.Kind.COPY, List.of(), 0);
    assertThat(tasks.slowTasks()).isEqualTo(SlowTierLoad.NONE);
    RunningTasks.Entry purge = tasks.begin(Pick.Kind.PURGE, List.of(), 0);
    assertThat(tasks.slowTasks()).isEqualTo(SlowTierLoad.ENOUGH);
    tasks.end(merge);
    tasks.end(purge);
    tasks.end(purge); // twice does no harm
    tasks.begin(Pick.Kind.REQUESTED, List.of(), 0);
    assertThat(tasks.slowTasks()).isEqualTo(SlowTierLoad.ENOUGH);
  }
}
