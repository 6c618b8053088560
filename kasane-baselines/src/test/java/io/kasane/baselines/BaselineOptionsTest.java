/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.tier.options.TierOptions;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;

/** With the jar of baselines on the class path, tables may name them. */
class BaselineOptionsTest {
  @Test
  void policiesAreFoundByTheirNames() {
    TierOptions window =
        TierOptions.parse(Map.of("heat_policy", "Window", "heat_min_accesses", "3"));
    assertThat(window.policyName()).isEqualTo("window");
    assertThat(window.goesByHeat()).isTrue();
    assertThat(window.chosen().orElseThrow().options()).containsEntry("heat_min_accesses", "3");
    assertThat(window.sortsWithoutFastDisk()).isTrue();

    TierOptions listed =
        TierOptions.parse(Map.of("heat_policy", "listed", "heat_list", "a-1_b.keys"));
    assertThat(listed.policyName()).isEqualTo("listed");
    assertThat(listed.goesByHeat()).isFalse();
    assertThat(listed.copiesRows()).isTrue();
  }

  @Test
  void sameOptionsAreEqualAndOthersAreNot() {
    Map<String, String> options = Map.of("heat_policy", "listed", "heat_list", "a");
    assertThat(TierOptions.parse(options)).isEqualTo(TierOptions.parse(options));
    assertThat(TierOptions.parse(options))
        .isNotEqualTo(TierOptions.parse(Map.of("heat_policy", "listed", "heat_list", "b")));
  }

  @Test
  void noSSTableIsRewrittenForRowsThatHaveNoPlaceOnFast() {
    for (String placement : List.of("fast_first", "free_space")) {
      TierOptions options =
          TierOptions.parse(Map.of("placement", placement, "slow_read_cost", "1MiB"));
      assertThat(options.placementName()).isEqualTo(placement.replace('_', '-'));
      assertThat(options.picker().moves().promotes()).isFalse();
      assertThat(options.copiesRows()).isFalse();
      assertThat(options.sortsWithoutFastDisk()).isFalse();
    }
  }

  @Test
  void rewritingPlacesByHeatAndCopiesNothing() {
    TierOptions options = TierOptions.parse(Map.of("promotion", "rewrite"));
    assertThat(options.placementName()).isEqualTo("heat");
    assertThat(options.placement().isByHeat()).isTrue();
    assertThat(options.copiesRows()).isFalse();
    assertThat(options.picker().moves().promotes()).isTrue();
  }

  @Test
  void aCacheNeedsCopies() {
    for (Map<String, String> options :
        List.of(
            Map.of("tier_mode", "cache", "promotion", "rewrite"),
            Map.of("tier_mode", "cache", "placement", "fast_first"))) {
      assertThatThrownBy(() -> TierOptions.parse(options))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("tier_mode")
          .hasMessageContaining("promotion");
    }
  }

  @Test
  void aListedPolicyNeedsTheNameOfAList() {
    for (String hostile :
        List.of("/dev/zero", "/etc/passwd", "..", "../keys", ".keys", "a/b", "a b", "", "k\0")) {
      assertThatThrownBy(
              () -> TierOptions.parse(Map.of("heat_policy", "listed", "heat_list", hostile)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("heat_list is '")
          .hasMessageContaining("key_lists_directory");
    }
    assertThatThrownBy(
            () -> TierOptions.parse(Map.of("heat_policy", "listed", "heat_list", "k".repeat(129))))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> TierOptions.parse(Map.of("heat_policy", "listed")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("heat_list");
  }

  @Test
  void badValuesAreRefusedWithNameValueAndBound() {
    for (String value : List.of("0", "x", "32768")) {
      assertThatThrownBy(
              () -> TierOptions.parse(Map.of("heat_policy", "window", "heat_min_accesses", value)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("heat_min_accesses is '" + value + "'")
          .hasMessageContaining("from 1 to");
    }
    assertThatThrownBy(() -> TierOptions.parse(Map.of("heat_policy", "lru")))
        .hasMessageContaining("one of budget, share, listed, window;");
  }

  @Test
  void theirOptionsAreOurs() {
    TierOptions.check(Map.of("heat_list", "unused", "heat_min_accesses", "2"));
    assertThat(TierOptions.withoutOurs(Map.of("heat_list", "a", "heat_min_accesses", "2")))
        .isEmpty();
  }
}
