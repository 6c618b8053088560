/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CommitLogHorizonTest {
  private final CommitLogHorizon age = new CommitLogHorizon();

  @Test
  void shouldKnowNothingAtFirst() {
    age.look(1_000, 5, OptionalLong.of(3));
    assertThat(age.goneMillis()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldWaitForTheOldestSegmentWhateverYoungerOnesAreGone() {
    age.look(1_000, 5, OptionalLong.of(5));
    age.look(2_000, 6, OptionalLong.of(5));
    age.look(3_000, 7, OptionalLong.of(5)); // 6 may be gone
    age.look(4_000, 7, OptionalLong.of(5));
    assertThat(age.goneMillis()).isEqualTo(Long.MIN_VALUE);
    age.look(5_000, 7, OptionalLong.of(7));
    assertThat(age.goneMillis()).as("seen gone once").isEqualTo(Long.MIN_VALUE);
    age.look(6_000, 7, OptionalLong.of(7));
    assertThat(age.goneMillis()).isEqualTo(2_000);
  }

  @Test
  void shouldNotTakeTheSegmentThatIsWrittenToForGone() {
    age.look(1_000, 5, OptionalLong.empty());
    age.look(2_000, 5, OptionalLong.empty());
    age.look(3_000, 5, OptionalLong.of(9)); // an empty one is prepared
    age.look(4_000, 5, OptionalLong.of(9));
    assertThat(age.goneMillis()).isEqualTo(Long.MIN_VALUE);
    age.look(5_000, 9, OptionalLong.of(9));
    assertThat(age.goneMillis()).isEqualTo(4_000);
  }
}
