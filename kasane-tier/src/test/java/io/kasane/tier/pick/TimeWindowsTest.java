/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TimeWindowsTest {
  private static final long MB = 1 << 20;
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final FastState ROOMY = new FastState(true, 100_000 * MB, false, 100_000 * MB);

  private static TimeWindows days(OptionalLong maxFastAge) {
    return new TimeWindows(DAY, TimeUnit.MICROSECONDS, 1, maxFastAge, false);
  }

  private static TierPicker picker(PickerOptions.Moves moves, int most) {
    return new TierPicker(
        new PickerOptions(
            new PickerOptions.Thresholds(Math.min(4, most), 0, most),
            new SizeBuckets(0.5, 1.5, 50 * MB),
            new SlowDiskPrice(MB / 4, 1),
            moves,
            Optional.of(days(OptionalLong.empty()))));
  }

  private static TierPicker picker() {
    return picker(new PickerOptions.Moves(true, true, false, true), 32);
  }

  private static Candidate<String> slow(String name, long day, boolean open, long mb) {
    return new Candidate<>(name, Tier.SLOW, false, false, 0, mb * MB, 1_000, 0, 0, 0)
        .inWindow(day * DAY, open);
  }

  private static Optional<Pick<String>> pick(List<Candidate<String>> candidates) {
    return picker().pick(candidates, SlowTierLoad.NONE, ROOMY, true);
  }

  @Test
  void windowsAreCutAsStockCutsThem() {
    TimeWindows windows = days(OptionalLong.empty());
    assertThat(windows.startOf(3 * DAY + 5)).isEqualTo(3 * DAY);
    assertThat(windows.startOf(3 * DAY)).isEqualTo(3 * DAY);
    assertThat(windows.startOf(4 * DAY - 1)).isEqualTo(3 * DAY);
    assertThat(windows.millis(7_001_000)).isEqualTo(7_001);
    assertThat(windows.startOf(windows.millis(Long.MAX_VALUE))).isPositive();
    assertThat(windows.startOf(windows.millis(Long.MIN_VALUE))).isNegative();
    assertThat(windows.startOf(Long.MIN_VALUE)).isNegative();
  }

  @Test
  void theOpenWindowIsTheNewestThatIsNotYetToCome() {
    TimeWindows windows = days(OptionalLong.empty());
    assertThat(windows.openSince(9 * DAY + 1, 9 * DAY + 2)).isEqualTo(9 * DAY);
    assertThat(windows.openSince(5 * DAY + 1, 9 * DAY + 2)).as("old data").isEqualTo(5 * DAY);
    assertThat(windows.openSince(99 * DAY, 9 * DAY + 2)).as("a wrong clock").isEqualTo(9 * DAY);
  }

  @Test
  void rowsLeaveFastInSteps() {
    TimeWindows windows = days(OptionalLong.of(16 * DAY));
    assertThat(windows.oldestOnFast(100 * DAY)).isEqualTo(84 * DAY);
    assertThat(windows.oldestOnFast(101 * DAY)).as("within a step of two days").isEqualTo(84 * DAY);
    assertThat(windows.oldestOnFast(102 * DAY)).isEqualTo(86 * DAY);
    assertThat(windows.oldestOnFastSince(101 * DAY)).isEqualTo(100 * DAY);
    assertThat(days(OptionalLong.empty()).oldestOnFast(100 * DAY)).isNegative();
  }

  @Test
  void twoOfAClosedWindowAreMergedWhateverTheirSizes() {
    assertThat(pick(List.of(slow("a", 1, false, 1), slow("b", 1, false, 900))))
        .hasValue(new Pick<>(Pick.Kind.SLOW_ONLY, List.of("a", "b")));
  }

  @Test
  void thoseOfTwoWindowsAreNot() {
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int day = 0; day < 40; day++) {
      candidates.add(slow("of day " + day, day, false, 10));
    }
    assertThat(pick(candidates)).isEmpty();
  }

  @Test
  void theOpenWindowIsMergedBySize() {
    List<Candidate<String>> three =
        List.of(slow("a", 9, true, 10), slow("b", 9, true, 10), slow("c", 9, true, 10));
    assertThat(pick(three)).isEmpty();
    List<Candidate<String>> four = new ArrayList<>(three);
    four.add(slow("large", 9, true, 900));
    assertThat(pick(four)).isEmpty();
    four.add(slow("d", 9, true, 10));
    assertThat(pick(four).orElseThrow().tables()).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void lookUpsPayForMergesWithinAWindowOnly() {
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int day = 8; day < 10; day++) {
      candidates.add(
          new Candidate<>("of day " + day, Tier.SLOW, false, false, 0, MB, 10, 9, 0, 999_999)
              .inWindow(day * DAY, day == 9));
    }
    assertThat(picker().paidFor(candidates, 1_000 * MB)).isEmpty();
    candidates.add(
        new Candidate<>("another", Tier.SLOW, false, false, 0, MB, 10, 9, 0, 999_999)
            .inWindow(9 * DAY, true));
    assertThat(picker().paidFor(candidates, 1_000 * MB).orElseThrow().tables())
        .containsExactlyInAnyOrder("of day 9", "another");
  }

  @Test
  void hotAndColdRowsOfAClosedWindowStayApart() {
    Candidate<String> hot =
        new Candidate<>("hot", Tier.SLOW, true, false, 0, MB, 10, 0, 0, 0).inWindow(DAY, false);
    assertThat(pick(List.of(hot, slow("cold", 1, false, 1)))).isEmpty();
    assertThat(pick(List.of(hot, slow("cold", 1, false, 1), slow("late", 1, false, 1))))
        .isPresent();
  }

  /** As often as something is due: what comes out of a merge is one SSTable a temperature. */
  @Property
  void windowsAreNeverMixedAndCompactionEnds(@ForAll long seed) {
    Random random = new Random(seed);
    for (PickerOptions.Moves moves :
        List.of(
            new PickerOptions.Moves(true, true, false, true), PickerOptions.Moves.ON_ONE_DISK)) {
      int most = random.nextBoolean() ? 2 : 32;
      TierPicker picker = picker(moves, most);
      List<Candidate<String>> live = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int day = random.nextInt(6);
        boolean hot = !moves.fastDisk() && random.nextBoolean();
        live.add(
            new Candidate<>(
                    "s" + i,
                    Tier.SLOW,
                    hot,
                    false,
                    0,
                    1 + random.nextInt(200) * MB,
                    1_000,
                    random.nextInt(100),
                    0,
                    random.nextInt(100))
                .inWindow(day * DAY, day == 5 && most > 2));
      }
      for (int left = 200; ; left--) {
        assertThat(left).as("merges, seed %d", seed).isPositive();
        Optional<Pick<String>> pick = picker.pick(live, SlowTierLoad.NONE, ROOMY, true);
        if (pick.isEmpty()) {
          break;
        }
        merge(live, pick.get(), "m" + left, seed, !moves.fastDisk());
      }
      for (long day = 0; day < 5; day++) {
        long start = day * DAY;
        assertThat(live.stream().filter(c -> c.windowMillis() == start && !c.hot()))
            .as("day %d, seed %d", day, seed)
            .hasSizeLessThan(2);
      }
    }
  }

  private static void merge(
      List<Candidate<String>> live, Pick<String> pick, String name, long seed, boolean sortsRows) {
    List<Candidate<String>> inputs =
        live.stream().filter(c -> pick.tables().contains(c.table())).toList();
    Set<Long> windows = new HashSet<>();
    inputs.forEach(c -> windows.add(c.windowMillis()));
    assertThat(windows).as("seed %d, %s", seed, pick).hasSize(1);
    live.removeAll(inputs);
    long bytes = inputs.stream().mapToLong(Candidate::bytes).sum();
    boolean closed = !inputs.get(0).open();
    for (boolean hot : new boolean[] {false, true}) {
      long own = inputs.stream().filter(c -> c.hot() == hot).mapToLong(Candidate::bytes).sum();
      // Heat may call rows of a closed window hot that were cold, and the other way round.
      if (own > 0 || (sortsRows && closed)) {
        live.add(
            new Candidate<>(
                    name + hot, Tier.SLOW, hot, false, 0, Math.max(1, bytes / 2), 9, 0, 0, 0)
                .inWindow(inputs.get(0).windowMillis(), inputs.get(0).open()));
      }
    }
  }
}
