/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final long HOT = 1;
  private static final long COLD = 2;
  private static final long UNKNOWN = 3;

  private static final HotSet HOT_COLD_UNKNOWN =
      new HotSet() {
        @Override
        public Temperature temperatureOf(long keyId) {
          return keyId == HOT
              ? Temperature.HOT
              : keyId == COLD ? Temperature.COLD : Temperature.UNKNOWN;
        }

        @Override
        public Temperature others() {
          return Temperature.UNKNOWN;
        }

        @Override
        public long hotKeys() {
          return 1;
        }

        @Override
        public long hotBytes() {
          return 1;
        }

        @Override
        public double accessShare() {
          return 1;
        }
      };

  private static Placement.Situation situation(boolean onFast, long fastCapacity, long slowFree) {
    Random random = new Random(42);
    return new Placement.Situation(
        HOT_COLD_UNKNOWN, fastCapacity, slowFree, () -> onFast, random::nextDouble);
  }

  @Test
  void heatSendsHotUpAndColdDownAndLeavesTheUnknown() {
    for (boolean onFast : new boolean[] {true, false}) {
      Placement.Run run = new HeatPlacement().begin(situation(onFast, 1, 1));
      assertThat(run.choose(HOT)).isEqualTo(Tier.FAST);
      assertThat(run.choose(COLD)).isEqualTo(Tier.SLOW);
      assertThat(run.choose(UNKNOWN)).isEqualTo(onFast ? Tier.FAST : Tier.SLOW);
    }
  }

  @Test
  void answersOnceAndForAll() {
    Random random = new Random(7);
    for (int run = 0; run < 100; run++) {
      Placement.Situation situation =
          situation(random.nextBoolean(), random.nextLong(), random.nextLong());
      Placement.Run first = new HeatPlacement().begin(situation);
      for (long key = 0; key < 5; key++) {
        assertThat(first.choose(key)).isNotNull().isEqualTo(first.choose(key));
      }
    }
  }

  /**
   * The writer asks the quota; a placement that threw where there is no disk would stop flushes.
   */
  @Test
  void answersWhereThereIsNoRoom() {
    Placement.Run run = new HeatPlacement().begin(situation(false, 0, 0));
    assertThat(run.choose(COLD)).isIn(Tier.FAST, Tier.SLOW);
  }
}
