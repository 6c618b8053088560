/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PolicyTest {
  private final AtomicLong clock = new AtomicLong();
  private final HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), clock::get, 7);

  private void record(long key, int times) {
    for (int i = 0; i < times; i++) {
      tracker.record(id(key));
    }
  }

  private void nextPeriod() {
    clock.addAndGet(10_000);
    tracker.advance();
  }

  @Test
  void unknownSetKnowsNothing() {
    assertThat(HotSet.unknown().temperatureOf(id(0))).isEqualTo(Temperature.UNKNOWN);
    assertThat(HotSet.unknown().temperatureOf(id(5))).isEqualTo(Temperature.UNKNOWN);
    assertThat(HotSet.unknown().hotKeys()).isZero();
    assertThat(HotSet.unknown().accessShare()).isZero();
  }

  @Test
  void aSetTellsHowHotAKeyMustBe() {
    assertThat(HotSet.unknown().leastHeat(100)).isInfinite();
    record(1, 9);
    record(2, 3);
    record(3, 2);
    HotSet set = new BudgetPolicy(() -> 200, 100).select(tracker.snapshot());
    assertThat(set.hotKeys()).isEqualTo(2);
    assertThat(set.leastHeat(0)).isEqualTo(3);
    assertThat(new SharePolicy(0.8).select(tracker.snapshot()).leastHeat(7)).isEqualTo(3);
  }

  @Test
  void byHeatPerByteALargeKeyMustBeHotter() {
    sized(1, 10, 100);
    sized(2, 8, 100);
    sized(3, 30, 1_000);
    sized(4, 1, 50);
    HotSet set = new BudgetPolicy(() -> 250, 2, () -> 100).select(tracker.snapshot());
    assertThat(set.temperatureOf(id(3))).as("passed over").isNotEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(4))).as("fills what is left").isEqualTo(Temperature.HOT);
    assertThat(set.leastHeat(100)).isEqualTo(8);
    assertThat(set.leastHeat(1_000)).isEqualTo(80);
  }

  private void sized(long keyId, int times, long bytes) {
    record(keyId, times);
    tracker.recordSize(id(keyId), bytes);
  }

  @Test
  void windowForgetsAfterOneQuietPeriod() {
    WindowPolicy policy = new WindowPolicy(2);
    record(0, 2);
    record(1, 1);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(0))).isEqualTo(Temperature.HOT);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(1)))
        .isEqualTo(Temperature.UNKNOWN);
    nextPeriod();
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(0))).isEqualTo(Temperature.HOT);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(1))).isEqualTo(Temperature.COLD);
    nextPeriod();
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(0))).isEqualTo(Temperature.COLD);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(99))).isEqualTo(Temperature.COLD);
  }

  @Test
  void shareNeedsEvidenceBeforeItCallsAnythingCold() {
    SharePolicy policy = new SharePolicy(0.5);
    record(1, 1);
    record(2, 1);
    nextPeriod();
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(99)))
        .isEqualTo(Temperature.UNKNOWN);
    record(1, 9);
    HotSet set = policy.select(tracker.snapshot());
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(2))).isEqualTo(Temperature.COLD);
    assertThat(set.temperatureOf(id(99))).isEqualTo(Temperature.COLD);
    assertThat(set.accessShare()).isEqualTo(10 / 11.0);
  }

  @Test
  void shareMayChangeAndNoShareIsNoKey() {
    double[] share = {0};
    SharePolicy policy = new SharePolicy(() -> share[0]);
    record(1, 9);
    record(2, 3);
    assertThat(policy.select(tracker.snapshot()).hotKeys()).isZero();
    share[0] = 0.8;
    assertThat(policy.select(tracker.snapshot()).hotKeys()).isEqualTo(2);
    assertThat(new SharePolicy(0).select(tracker.snapshot()).hotKeys()).isZero();
  }

  @Test
  void budgetDemotesOnlyWhenThePlaceIsNeeded() {
    record(1, 5);
    record(2, 3);
    BudgetPolicy roomy = new BudgetPolicy(() -> 1000, 100);
    assertThat(roomy.select(tracker.snapshot()).temperatureOf(id(99)))
        .isEqualTo(Temperature.UNKNOWN);
    BudgetPolicy tight = new BudgetPolicy(() -> 150, 100);
    HotSet set = tight.select(tracker.snapshot());
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(2))).isEqualTo(Temperature.COLD);
    assertThat(set.temperatureOf(id(99))).isEqualTo(Temperature.COLD);
    assertThat(set.hotBytes()).isEqualTo(100);
  }

  @Test
  void budgetOfNothingMakesAllCold() {
    record(1, 5);
    HotSet set = new BudgetPolicy(() -> 0, 100).select(tracker.snapshot());
    assertThat(set.hotKeys()).isZero();
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.COLD);
    assertThat(set.temperatureOf(id(99))).isEqualTo(Temperature.COLD);
  }

  @Test
  void aGiantIsPassedOver() {
    record(1, 1000);
    record(2, 5);
    tracker.recordSize(id(1), 5_000_000);
    tracker.recordSize(id(2), 100);
    HotSet set = new BudgetPolicy(() -> 1000, 100).select(tracker.snapshot());
    assertThat(set.temperatureOf(id(2))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.COLD);
  }

  @Test
  void keysNextInLineStayWhereTheyAre() {
    record(1, 9);
    record(2, 8);
    record(3, 7);
    record(4, 6);
    HotSet set = new BudgetPolicy(() -> 250, 1.5, () -> 100).select(tracker.snapshot());
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(2))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(3))).isEqualTo(Temperature.UNKNOWN);
    assertThat(set.temperatureOf(id(4))).isEqualTo(Temperature.COLD);
    assertThat(set.temperatureOf(id(99))).isEqualTo(Temperature.COLD);
    assertThat(set.hotBytes()).isEqualTo(200);
  }

  @Test
  void aHotKeyStaysUntilAnotherIsClearlyHotter() {
    BudgetPolicy policy = new BudgetPolicy(() -> 100, 1.5, () -> 100);
    record(1, 9);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(1))).isEqualTo(Temperature.HOT);
    record(2, 11); // 9 and its square root are 12
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(1))).isEqualTo(Temperature.HOT);
    record(2, 2);
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(2))).isEqualTo(Temperature.HOT);
    record(1, 7); // now 2 is the one that has to be outdone
    assertThat(policy.select(tracker.snapshot()).temperatureOf(id(2))).isEqualTo(Temperature.HOT);
  }

  @Test
  void aGiantDoesNotTakeTheBand() {
    record(1, 1_000_000);
    record(2, 5);
    tracker.recordSize(id(1), 5_000_000);
    tracker.recordSize(id(2), 100);
    HotSet set = new BudgetPolicy(() -> 1000, 1.15, () -> 100).select(tracker.snapshot());
    assertThat(set.temperatureOf(id(1))).isEqualTo(Temperature.COLD);
    assertThat(set.temperatureOf(id(2))).isEqualTo(Temperature.HOT);
  }

  @Test
  void badSettingsNameTheSettingTheValueAndTheBound() {
    assertThatThrownBy(() -> new WindowPolicy(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minAccesses is 0")
        .hasMessageContaining("1 to 1000000");
    assertThatThrownBy(() -> new SharePolicy(Double.NaN)).hasMessageContaining("share is NaN");
    assertThatThrownBy(() -> new SharePolicy(1.5)).hasMessageContaining("at most 1");
    assertThatThrownBy(() -> new BudgetPolicy(() -> 1, 0))
        .hasMessageContaining("defaultKeyBytes is 0");
    assertThatThrownBy(() -> new BudgetPolicy(() -> 1, 0.9, () -> 1))
        .hasMessageContaining("keepFactor is 0.9");
    assertThatThrownBy(() -> HeatTrackerOptions.defaults().withCapacityKeys(0))
        .hasMessageContaining("capacityKeys is 0")
        .hasMessageContaining("1 to 200000000");
    assertThatThrownBy(() -> HeatTrackerOptions.defaults().withPeriodMillis(1))
        .hasMessageContaining("periodMillis is 1");
    assertThatThrownBy(() -> HeatTrackerOptions.defaults().withAgingAccesses(-1))
        .hasMessageContaining("agingAccesses is -1");
  }
}
