/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.sim.Hits;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class AdaptationTest {
  private static final int CHANGED_AT = 2_000;
  private static final int ACCESSES = 4_000;
  private static final int WINDOW = 100;

  /** All hits but for those between the change and a place. */
  private static Hits foundAgainAt(int place) {
    BitSet at = new BitSet();
    at.set(0, CHANGED_AT);
    at.set(place, ACCESSES);
    return new Hits(at, ACCESSES, 1);
  }

  @Test
  void endsWhenAWindowHasNineTenthsOfWhatItHad() {
    assertThat(Adaptation.accesses(foundAgainAt(CHANGED_AT + 300), CHANGED_AT, WINDOW))
        .isEqualTo(300 + 90);
  }

  @Test
  void hitsBeforeTheChangeDoNotCount() {
    assertThat(Adaptation.accesses(foundAgainAt(CHANGED_AT), CHANGED_AT, WINDOW)).isEqualTo(WINDOW);
  }

  @Test
  void mayNeverEnd() {
    assertThat(Adaptation.accesses(foundAgainAt(ACCESSES - 89), CHANGED_AT, WINDOW)).isNull();
  }

  @Test
  void measuresAgainstTheTimeJustBefore() {
    BitSet at = new BitSet();
    for (int i = CHANGED_AT - 10 * WINDOW; i < CHANGED_AT; i += 2) {
      at.set(i);
    }
    for (int i = CHANGED_AT + 500; i < ACCESSES; i += 2) {
      at.set(i);
    }
    assertThat(Adaptation.accesses(new Hits(at, ACCESSES, 1), CHANGED_AT, WINDOW))
        .isBetween(500 + 88, 500 + 90);
  }
}
