/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BaselinePlacementTest {
  private static final long HOT = 1;
  private static final long COLD = 2;

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
  void fastFirstIgnoresHeat() {
    Placement.Run run = new FastFirst().make().begin(situation(false, 1, 1));
    assertThat(run.choose(COLD)).isEqualTo(Tier.FAST);
  }

  @Test
  void freeSpaceDrawsWholeOutputsInProportionToFreeBytes() {
    Placement placement = new FreeSpace().make();
    Placement.Situation situation = situation(false, 100, 300);
    int fast = 0;
    for (int i = 0; i < 10_000; i++) {
      Placement.Run run = placement.begin(situation);
      Tier first = run.choose(HOT);
      assertThat(run.choose(COLD)).isEqualTo(first);
      fast += first == Tier.FAST ? 1 : 0;
    }
    assertThat(fast).isBetween(2_350, 2_650);
    assertThat(placement.begin(situation(false, 0, 0)).choose(0)).isEqualTo(Tier.SLOW);
  }

  @ParameterizedTest
  @MethodSource("providers")
  void everyPlacementAnswersOnceAndForAll(PlacementProvider kind) {
    Random random = new Random(7);
    for (int run = 0; run < 100; run++) {
      Placement.Situation situation =
          situation(random.nextBoolean(), random.nextLong(), random.nextLong());
      Placement.Run first = kind.make().begin(situation);
      for (long key = 0; key < 5; key++) {
        assertThat(first.choose(key)).isNotNull().isEqualTo(first.choose(key));
      }
    }
  }

  /**
   * The writer asks the quota; a placement that threw where there is no disk would stop flushes.
   */
  @ParameterizedTest
  @MethodSource("providers")
  void everyPlacementAnswersWhereThereIsNoRoom(PlacementProvider kind) {
    Placement.Run run = kind.make().begin(situation(false, 0, 0));
    assertThat(run.choose(COLD)).isIn(Tier.FAST, Tier.SLOW);
  }

  static Stream<PlacementProvider> providers() {
    return ServiceLoader.load(PlacementProvider.class).stream().map(ServiceLoader.Provider::get);
  }

  @Test
  void theNodeFindsAllOfThem() {
    assertThat(providers().map(PlacementProvider::name))
        .containsExactly("fast-first", "free-space", "rewrite");
  }
}
