/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.bench.lab.Contestant;
import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.lab.Trial;
import io.kasane.bench.load.Mix;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TierExperimentTest {
  @Test
  void shouldGiveOptionsToKasaneAndNotToWhatItIsComparedWith() {
    Set<String> only = Set.of("heat", "cache", "published", "oracle");

    List<Trial> plan = plan(only, Map.of("fast_fill", "0.6"));

    assertThat(plan).hasSize(4);
    assertThat(plan)
        .extracting(Trial::contestant)
        .filteredOn(one -> "0.6".equals(one.compaction().get("fast_fill")))
        .extracting(Contestant::name)
        .containsExactlyInAnyOrder("heat", "cache");
  }

  @Test
  void shouldRunWhatIsNoSystemOfThePaperOnlyWhereItIsNamed() {
    assertThat(plan(null, Map.of()))
        .extracting(trial -> trial.contestant().name())
        .containsExactly(
            "all-slow",
            "stock",
            "free-space",
            "fast-first",
            "published",
            "heat",
            "oracle",
            "all-fast");
    assertThat(plan(Set.of("oracle-same-disk"), Map.of())).hasSize(1);
  }

  @Test
  void shouldRefuseOptionsThatNoSystemGets() {
    assertThatThrownBy(() -> plan(Set.of("stock"), Map.of("fast_fill", "0.6")))
        .hasMessageContaining("--option")
        .hasMessageContaining("heat and cache");
  }

  @Test
  void shouldKeepTheProportionsOfOtherNumbersOfRows() {
    TierScale scale = TierScale.named("smoke");

    TierScale larger = scale.of(4 * scale.rows());

    assertThat(larger.dataBytes()).isEqualTo(4 * scale.dataBytes());
    assertThat(larger.smallBytes()).isEqualTo(4 * scale.smallBytes());
    assertThat(larger.machine().cacheMib()).isEqualTo(4 * scale.machine().cacheMib());
    assertThat((double) larger.machine().memtableKib() / scale.machine().memtableKib())
        .isBetween(4.0, 4.5); // in whole MiB
    assertThat(larger.duration()).isEqualTo(scale.duration());
  }

  @Test
  void shouldRefuseFewerRowsThanTheProportionsNeed() {
    assertThatThrownBy(() -> TierScale.named("smoke").of(99_999))
        .hasMessageContaining("--rows")
        .hasMessageContaining("99999")
        .hasMessageContaining("at least 100000");
  }

  private static List<Trial> plan(Set<String> only, Map<String, String> compaction) {
    TierScale scale = TierScale.named("smoke");
    ModelRig rig = new ModelRig(scale.faster());
    return new TierExperiment(scale, rig, 1, only, "zipf", Mix.HALF, compaction).plan();
  }
}
