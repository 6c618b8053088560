/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.tier.control.AutoHeatShare;
import io.kasane.tier.hot.Policies;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.pick.TimeWindows;
import io.kasane.tier.place.HeatPlacementProvider;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TierOptionsTest {
  @Test
  void defaults() {
    TierOptions options = TierOptions.parse(Map.of());
    assertThat(options.policy()).isEqualTo(TierOptions.Policy.BUDGET);
    assertThat(options.counts()).isEqualTo(TierOptions.Counts.READS);
    assertThat(options.placement()).isEqualTo(HeatPlacementProvider.HEAT);
    assertThat(options.tracker().periodMillis()).isEqualTo(10_000);
    assertThat(options.fastQuotaBytes()).isEmpty();
    assertThat(options.picker().thresholds().min()).isEqualTo(4);
    assertThat(options.picker().hotMinThreshold()).isEqualTo(4);
    assertThat(options.picker().withoutFastDisk().hotMinThreshold()).isEqualTo(2);
  }

  @Test
  void aShareMayBeMeasuredAndMayBeNone() {
    assertThat(TierOptions.parse(Map.of("heat_share", "Auto")).share()).isEmpty();
    assertThat(TierOptions.parse(Map.of()).share()).hasValue(0.5);
    TierOptions none = TierOptions.parse(Map.of("heat_policy", "share", "heat_share", "0"));
    assertThat(
            Policies.make(none, () -> 0, () -> 1, null, () -> new AutoHeatShare.Waits(0, 0)).name())
        .isEqualTo("share");
  }

  @Test
  void mergesArePaidForAsOnAHardDiskUnlessOptionsSayOtherwise() {
    PickerOptions usual = TierOptions.parse(Map.of()).picker();
    assertThat(usual.price().isPaidFor(7, 1 << 20)).isFalse();
    assertThat(usual.price().isPaidFor(8, 1 << 20)).as("2 MiB at 256 KiB a look-up").isTrue();
    PickerOptions dear = TierOptions.parse(Map.of("slow_write_price", "3")).picker();
    assertThat(dear.price().isPaidFor(15, 1 << 20)).isFalse();
    assertThat(dear.price().isPaidFor(16, 1 << 20)).isTrue();
    PickerOptions off = TierOptions.parse(Map.of("slow_read_cost", "0B")).picker();
    assertThat(off.price().isPaidFor(1_000_000, 1)).isFalse();
    assertThatThrownBy(() -> TierOptions.parse(Map.of("slow_write_price", "-1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("slow_write_price is '-1'");
  }

  @Test
  void aCacheNeedsCopies() {
    assertThat(TierOptions.parse(Map.of()).mode()).isEqualTo(TierOptions.Mode.TIER);
    TierOptions cache = TierOptions.parse(Map.of("tier_mode", "cache"));
    assertThat(cache.mode()).isEqualTo(TierOptions.Mode.CACHE);
    assertThat(cache.picker().moves().completesSlow()).isTrue();
  }

  @Test
  void windowsAreReadAsStockReadsThem() {
    assertThat(TierOptions.parse(Map.of()).picker().windows()).isEmpty();
    TimeWindows windows =
        TierOptions.parse(
                Map.of(
                    "compaction_window_unit", "HOURS",
                    "compaction_window_size", "6",
                    "timestamp_resolution", "MILLISECONDS",
                    "expired_sstable_check_frequency_seconds", "60",
                    "unsafe_aggressive_sstable_expiration", "false",
                    "fast_max_age", "30d"))
            .picker()
            .windows()
            .orElseThrow();
    assertThat(windows.sizeMillis()).isEqualTo(TimeUnit.HOURS.toMillis(6));
    assertThat(windows.timestampUnit()).isEqualTo(TimeUnit.MILLISECONDS);
    assertThat(windows.checkMillis()).isEqualTo(60_000);
    assertThat(windows.maxFastAgeMillis()).hasValue(TimeUnit.DAYS.toMillis(30));
    assertThat(windows.dropsTombstones()).isFalse();
    TimeWindows usual =
        TierOptions.parse(Map.of("compaction_window_size", "1", "tombstone_threshold", "0.3"))
            .picker()
            .windows()
            .orElseThrow();
    assertThat(usual.sizeMillis()).isEqualTo(TimeUnit.DAYS.toMillis(1));
    assertThat(usual.dropsTombstones()).isTrue();
  }

  @Test
  void windowsMakeSlowComplete() {
    TierOptions options = TierOptions.parse(Map.of("compaction_window_unit", "DAYS"));
    assertThat(options.mode()).isEqualTo(TierOptions.Mode.CACHE);
    assertThat(options.picker().moves().completesSlow()).isTrue();
    Map<String, String> bad = Map.of("compaction_window_unit", "DAYS", "tier_mode", "tier");
    assertThatThrownBy(() -> TierOptions.parse(bad))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tier_mode is 'tier' but must be 'cache' for a table with time");
    assertThat(TierOptions.parseOrStay(bad).mode()).isEqualTo(TierOptions.Mode.CACHE);
  }

  @ParameterizedTest
  @CsvSource({
    "compaction_window_unit, WEEKS",
    "compaction_window_size, 0",
    "compaction_window_size, 100001",
    "timestamp_resolution, DAYS",
    "expired_sstable_check_frequency_seconds, -1",
    "unsafe_aggressive_sstable_expiration, true",
    "fast_max_age, 23h",
    "fast_max_age, soon"
  })
  void badWindowsAreRefusedAndNeverMerged(String name, String value) {
    Map<String, String> options = new HashMap<>(Map.of("compaction_window_unit", "DAYS"));
    options.put(name, value);
    assertThatThrownBy(() -> TierOptions.parse(options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(name + " is '" + value + "'");
    assertThat(TierOptions.parseOrStay(options).picker().windows())
        .hasValue(TimeWindows.NEVER_MERGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timestamp_resolution",
        "expired_sstable_check_frequency_seconds",
        "unsafe_aggressive_sstable_expiration",
        "fast_max_age"
      })
  void whatGoesWithWindowsIsRefusedWithoutThem(String name) {
    assertThatThrownBy(() -> TierOptions.parse(Map.of(name, "1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("compaction_window_unit");
  }

  @Test
  void rowsStayWhereTheyAreWhileAnOptionCannotBeRead() {
    Map<String, String> options =
        Map.of(
            "tier_mode", "Cache",
            "heat_policy", "newer",
            "fast_quota", "20MiB",
            "promotion", "rewrite",
            "placement", "fast-first",
            "heat_capacity", "5000",
            "min_threshold", "60",
            "max_threshold", "lots");
    TierOptions staying = TierOptions.parseOrStay(options);
    assertThat(staying.policy()).isEqualTo(TierOptions.Policy.STAY);
    assertThat(staying.trouble().orElseThrow())
        .contains("heat_policy is 'newer'", "budget", "leave it out");
    assertThat(staying.mode()).as("slow stays complete").isEqualTo(TierOptions.Mode.CACHE);
    assertThat(staying.placement()).isEqualTo(HeatPlacementProvider.HEAT);
    assertThat(staying.picker().moves().promotes())
        .as("nothing is rewritten for its hot rows")
        .isFalse();
    assertThat(staying.fastQuotaBytes()).hasValue(20 << 20);
    assertThat(staying.tracker().capacityKeys()).isEqualTo(5000);
    assertThat(staying.picker().thresholds().max()).isEqualTo(60);
    HeatTracker tracker = new HeatTracker(staying.tracker(), () -> 0, 1);
    tracker.record(1);
    assertThat(
            Policies.make(staying, () -> 1000, () -> 1, null, () -> new AutoHeatShare.Waits(0, 0))
                .select(tracker.snapshot())
                .temperatureOf(1))
        .isEqualTo(Temperature.UNKNOWN);

    assertThat(TierOptions.parseOrStay(Map.of("fast_quota", "lots")).fastQuotaBytes())
        .as("the node's quota alone")
        .isEmpty();
    assertThat(TierOptions.parseOrStay(Map.of("tier_mode", "newer")).mode())
        .isEqualTo(TierOptions.Mode.TIER);
    assertThat(TierOptions.parseOrStay(Map.of("heat_share", "0.3")))
        .isEqualTo(TierOptions.parse(Map.of("heat_share", "0.3")));
    assertThatThrownBy(() -> TierOptions.parse(Map.of("heat_policy", "stay")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("one of budget, share;");
  }

  @ParameterizedTest
  @CsvSource({
    "heat_capacity, " + HeatTrackerOptions.MIN_CAPACITY + ", " + HeatTrackerOptions.MAX_CAPACITY,
    "promotion_rows_per_second, 1, " + Integer.MAX_VALUE,
    "min_sstable_size, 0, " + Long.MAX_VALUE,
    "min_threshold, 2, " + Integer.MAX_VALUE,
    "heat_share, 0, 1",
    "bucket_low, 0, 1",
    "bucket_high, 1, 100",
    "slow_write_price, 0, 1000000"
  })
  void aBoundIsAllowedAndWhatLiesBehindItIsNot(String name, String least, String most) {
    for (String bound : List.of(least, most)) {
      assertThatCode(() -> TierOptions.parse(Map.of(name, bound))).doesNotThrowAnyException();
    }
    for (BigDecimal behind :
        List.of(
            new BigDecimal(least).subtract(BigDecimal.ONE),
            new BigDecimal(most).add(BigDecimal.ONE))) {
      assertThatThrownBy(() -> TierOptions.parse(Map.of(name, behind.toString())))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(name + " is '" + behind + "'");
    }
  }

  @Test
  void aValueForgesNoLineOfTheLog() {
    assertThatThrownBy(
            () -> TierOptions.parse(Map.of("heat_policy", "x\nERROR disk failed" + "y".repeat(99))))
        .hasMessageContaining("'x\\u000aERROR disk failedyyy")
        .hasMessageContaining("yyy...'")
        .hasMessageNotContaining("\n");
  }

  @Test
  void everyOptionIsRead() {
    TierOptions options =
        TierOptions.parse(
            Map.ofEntries(
                Map.entry("heat_policy", "Share"),
                Map.entry("heat_counts", "both"),
                Map.entry("heat_share", "0.25"),
                Map.entry("heat_period", "1m"),
                Map.entry("heat_capacity", "5000"),
                Map.entry("placement", "heat"),
                Map.entry("promotion", "copy"),
                Map.entry("fast_quota", "20MiB"),
                Map.entry("fast_fill", "0.5"),
                Map.entry("hot_min_threshold", "3"),
                Map.entry("slow_read_cost", "1MiB"),
                Map.entry("min_threshold", "6"),
                Map.entry("max_threshold", "12"),
                Map.entry("bucket_low", "0.4"),
                Map.entry("bucket_high", "2"),
                Map.entry("min_sstable_size", "1000")));
    assertThat(options.policy()).isEqualTo(TierOptions.Policy.SHARE);
    assertThat(options.counts()).isEqualTo(TierOptions.Counts.BOTH);
    assertThat(options.share()).hasValue(0.25);
    assertThat(options.tracker().periodMillis()).isEqualTo(60_000);
    assertThat(options.tracker().capacityKeys()).isEqualTo(5_000);
    assertThat(options.placement()).isEqualTo(HeatPlacementProvider.HEAT);
    assertThat(options.fastQuotaBytes()).hasValue(20 << 20);
    assertThat(options.fastFill()).hasValue(0.5);
    assertThat(options.picker().hotMinThreshold()).isEqualTo(3);
    assertThat(options.picker().withoutFastDisk().hotMinThreshold()).isEqualTo(3);
    assertThat(options.picker().price().readCostBytes()).isEqualTo(1 << 20);
    assertThat(options.picker().thresholds().min()).isEqualTo(6);
    assertThat(options.picker().thresholds().max()).isEqualTo(12);
    assertThat(options.picker().sizes().low()).isEqualTo(0.4);
    assertThat(options.picker().sizes().high()).isEqualTo(2);
    assertThat(options.picker().sizes().smallBytes()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource({
    "heat_policy, lru, 'one of budget, share;'",
    "heat_counts, all, 'reads, writes, both'",
    "placement, random, 'one of heat;'",
    "promotion, soon, 'one of copy;'",
    "heat_share, 1.5, 'from 0.0 to 1.0, or auto'",
    "heat_period, soon, such as 10s",
    "heat_capacity, -1, from 1 to",
    "fast_quota, much, such as 512MiB",
    "fast_fill, 0.99, to 0.85",
    "hot_min_threshold, 1, from 2",
    "min_threshold, x, from 2",
    "slow_read_cost, 5, such as 512MiB"
  })
  void badValuesAreRefusedWithNameValueAndBound(String name, String value, String bound) {
    assertThatThrownBy(() -> TierOptions.parse(Map.of(name, value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("'" + value + "'")
        .hasMessageContaining(bound);
  }

  @Test
  void onlyOurOptionsAreTakenOut() {
    assertThat(TierOptions.withoutOurs(Map.of("heat_policy", "budget", "colour", "red")))
        .containsOnlyKeys("colour");
  }

  @ParameterizedTest
  @CsvSource({
    "heat_policy, window, 'one of budget, share'",
    "heat_policy, listed, 'one of budget, share'",
    "placement, fast-first, one of heat",
    "placement, Free_Space, one of heat",
    "promotion, rewrite, one of copy",
    "heat_list, some.keys, left out",
    "heat_min_accesses, 3, left out"
  })
  void aBaselineIsRefusedWhereItsJarIsNot(String name, String value, String bound) {
    assertThatThrownBy(() -> TierOptions.check(Map.of(name, value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(name + " is '" + value + "'")
        .hasMessageContaining(bound)
        .hasMessageContaining("the jar kasane-baselines")
        .hasMessageContaining("leave it out");
  }

  /** The strategy's constructor reads them, while the node starts: it must not throw. */
  @ParameterizedTest
  @CsvSource({
    "heat_policy, window",
    "heat_policy, listed",
    "placement, fast-first",
    "placement, free_space",
    "promotion, rewrite"
  })
  void aTableOfAnEarlierVersionThatNamesABaselineOpensAndItsRowsStay(String name, String value) {
    TierOptions stored =
        TierOptions.parseOrStay(
            Map.of(
                name,
                value,
                "heat_list",
                "some.keys",
                "heat_min_accesses",
                "3",
                "fast_quota",
                "20MiB"));
    assertThat(stored.policy()).isEqualTo(TierOptions.Policy.STAY);
    assertThat(stored.trouble().orElseThrow()).contains(name + " is '" + value + "'");
    assertThat(stored.picker().moves().promotes()).isFalse();
    assertThat(stored.fastQuotaBytes()).hasValue(20 << 20);
  }

  @Test
  void optionsOfBaselinesThatATableOfAnEarlierVersionKeepsHaveNoEffect() {
    assertThat(TierOptions.parseOrStay(Map.of("heat_list", "some.keys", "heat_min_accesses", "3")))
        .isEqualTo(TierOptions.parse(Map.of()));
  }
}
