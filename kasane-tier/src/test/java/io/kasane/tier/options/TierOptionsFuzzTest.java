/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.control.RateLimiter;
import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.track.HeatTracker;
import io.kasane.tier.control.AutoHeatShare;
import io.kasane.tier.hot.NoOpPolicy;
import io.kasane.tier.hot.Policies;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.FastState;
import io.kasane.tier.pick.SlowTierLoad;
import io.kasane.tier.pick.TierPicker;
import io.kasane.tier.sstables.FastShards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.ConfigurationException;

/** Whatever a compaction map holds: it is read, or refused in words. The seed is in a failure. */
class TierOptionsFuzzTest {
  private static final List<String> NAMES = new ArrayList<>(new TreeSet<>(TierOptions.NAMES));

  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "2",
          "4",
          "32",
          "-1",
          "0.5",
          "1e-320",
          "NaN",
          "Infinity",
          "0x1p-1",
          "1d",
          "2147483647",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "9".repeat(60_000),
          "٤",
          " 4 ",
          "+4",
          "10ms",
          "9ms",
          "1d",
          "2d",
          "9223372036854775807d",
          "10S",
          "0B",
          "0",
          "1B",
          "5MiB",
          "8388607TiB",
          "8388608TiB",
          "9223372036854775806B",
          "9223372036854775807B",
          "99999999999999999999TiB",
          "TiB",
          "",
          " ",
          "auto",
          "AUTO ",
          "budget",
          "listed",
          "share",
          "window",
          "stay",
          "reads",
          "both",
          "DAYS",
          "MINUTES",
          "NANOSECONDS",
          "30d",
          "false",
          "cache",
          "Cache ",
          "tier",
          "rewrite",
          "copy",
          "heat",
          "fast_first",
          "free-space",
          "/dev/zero",
          "/etc/passwd",
          "../../etc/passwd",
          "..",
          "keys",
          "k.txt",
          "k\0",
          "x\nERROR forged",
          "\ud800",
          "\u202e日本",
          "'; DROP TABLE k.t; --",
          "k".repeat(70_000));

  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void readsOrRefuses(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, String> options = new HashMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = random.nextInt(20) == 0 ? pick(VALUES, random) : pick(NAMES, random);
      options.put(name, random.nextInt(20) == 0 ? noise(random) : pick(VALUES, random));
    }
    TierOptions read = TierOptions.parseOrStay(options);
    try {
      assertThat(TierOptions.parse(options)).isEqualTo(read);
      assertThat(read.trouble()).isEmpty();
    } catch (ConfigurationException e) {
      requireWords(e.getMessage(), options);
      assertThat(read.trouble()).hasValue(e.getMessage());
      assertThat(read.policy()).isEqualTo(TierOptions.Policy.STAY);
    }
    boolean hasWindows = read.picker().windows().isPresent();
    assertThat(hasWindows)
        .isEqualTo(WindowOptions.OF_WINDOWS.stream().anyMatch(options::containsKey));
    boolean wantsCache =
        hasWindows || options.getOrDefault("tier_mode", "").strip().equalsIgnoreCase("cache");
    assertThat(read.mode()).isEqualTo(wantsCache ? TierOptions.Mode.CACHE : TierOptions.Mode.TIER);
    use(read, random);
  }

  private static void requireWords(String message, Map<String, String> options) {
    assertThat(message)
        .containsPattern("compaction option [a-z_]+ is '.*' but must be .*; .*leave");
    String name = message.split(" ", 4)[2];
    assertThat(options).containsKey(name);
    assertThat(message.length()).isLessThan(500);
    assertThat(message.chars()).noneMatch(Character::isISOControl);
  }

  /** What reads these numbers must bear all that are accepted. */
  private static void use(TierOptions options, Random random) {
    HeatTracker tracker = new HeatTracker(options.tracker().withCapacityKeys(9), () -> 0, 1);
    tracker.record(1);
    long budget = options.fastQuotaBytes().orElse(random.nextLong() >>> 1);
    assertThat(
            Policies.make(
                    options,
                    () -> budget,
                    () -> 1,
                    chosen -> new NoOpPolicy(),
                    () -> new AutoHeatShare.Waits(1, 1))
                .select(tracker.snapshot()))
        .isInstanceOf(HotSet.class);
    assertThat(new FastShards(Murmur3Partitioner.instance, budget, budget).count()).isPositive();
    long[] now = {0};
    RateLimiter pace = new RateLimiter(() -> now[0]);
    now[0] = Long.MAX_VALUE / 2;
    assertThat(pace.allowed(options.promotionBytesPerSecond())).isPositive();
    assertThat(pace.allowed(options.promotionRowsPerSecond())).isPositive();

    List<Candidate<Integer>> candidates = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Tier tier = i % 3 == 0 ? Tier.FAST : Tier.SLOW;
      long bytes = random.nextInt(3) == 0 ? Long.MAX_VALUE / 16 : random.nextInt(1 << 20);
      candidates.add(
          new Candidate<>(
              i, tier, i % 2 == 0, false, i % 4, bytes, bytes / 100, i, 3L * i, 5L * i));
    }
    options
        .picker()
        .windows()
        .ifPresent(
            cut -> {
              long millis = cut.millis(random.nextLong());
              assertThat(cut.startOf(millis)).isLessThanOrEqualTo(millis);
              assertThat(cut.openSince(millis, random.nextLong())).isLessThanOrEqualTo(millis);
              assertThat(cut.oldestOnFast(millis)).isLessThanOrEqualTo(Math.max(0, millis));
            });
    TierPicker picker = new TierPicker(options.picker());
    assertThat(picker.pending(candidates)).isBetween(0, candidates.size());
    FastState fast = new FastState(random.nextBoolean(), budget, random.nextBoolean(), budget);
    assertThat(
            picker.pick(
                candidates, SlowTierLoad.values()[random.nextInt(3)], fast, random.nextBoolean()))
        .isNotNull();
  }

  private static String pick(List<String> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  private static String noise(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(200); i > 0; i--) {
      text.append((char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
    }
    return text.toString();
  }
}
