/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class TrialResultTest {
  private static final double NO_LOOK = Double.NaN;

  private static List<Sample> looks(double... sstablesPerHotKey) {
    return DoubleStream.of(sstablesPerHotKey)
        .mapToObj(sstables -> new Sample(null, null, null, sstables))
        .toList();
  }

  @Test
  void shouldTakeTheLastThirdOfTheLooksHoweverFewThereAre() {
    List<Sample> none = looks(NO_LOOK, NO_LOOK);
    assertThat(TrialResult.sstablesPerHotKey(none)).isNaN();
    List<Sample> early = looks(1, NO_LOOK, NO_LOOK, NO_LOOK, NO_LOOK, 3, NO_LOOK, NO_LOOK, NO_LOOK);
    assertThat(TrialResult.sstablesPerHotKey(early)).isEqualTo(3);
    List<Sample> many = looks(1, NO_LOOK, 1, NO_LOOK, 1, 1, NO_LOOK, 2, 4);
    assertThat(TrialResult.sstablesPerHotKey(many)).isEqualTo(3);
  }
}
