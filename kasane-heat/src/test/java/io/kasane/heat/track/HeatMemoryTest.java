/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HeatMemoryTest {
  private static final long MIB = 1 << 20;
  private static final int KEY_BYTES = HeatTrackerOptions.KEY_BYTES;

  private static HeatMemory memory(long trackerBytes) {
    return new HeatMemory(trackerBytes, 0, 0);
  }

  private static HeatTrackerOptions wish(int keys) {
    return HeatTrackerOptions.defaults().withCapacityKeys(keys);
  }

  private static HeatTracker track(HeatMemory memory, int wishKeys) {
    return memory.track(wish(wishKeys), () -> 0, 1);
  }

  private static void fill(HeatTracker tracker, int keys) {
    for (long key = 0; key < keys; key++) {
      tracker.record(id(key));
    }
  }

  @Test
  void aTableAloneGetsItsWishAsFarAsThereIsMemory() {
    assertThat(track(memory(48 * MIB), 1_000_000).capacityKeys()).isEqualTo(1_000_000);
    HeatTracker greedy = track(memory(MIB), HeatTrackerOptions.MAX_CAPACITY);
    assertThat(greedy.capacityKeys()).isBetween(80_000, (int) MIB / KEY_BYTES);
    fill(greedy, 400_000);
    assertThat(greedy.memoryBytes()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void oneThatHoldsLittleLeavesTheRestToOthers() {
    HeatMemory memory = memory(KEY_BYTES * 100_000L);
    HeatTracker idle = track(memory, 1_000_000);
    fill(idle, 1000);
    HeatTracker busy = track(memory, 1_000_000);
    assertThat(idle.capacityKeys()).isGreaterThanOrEqualTo(1000);
    assertThat(busy.capacityKeys()).isGreaterThan(85_000);
    for (int second = 0; second < 10; second++) {
      fill(busy, 200_000);
      memory.share();
    }
    assertThat(idle.trackedKeys()).isEqualTo(1000);
    assertThat(busy.trackedKeys()).isGreaterThan(80_000);
    assertThat(idle.capacityKeys() + busy.capacityKeys()).isLessThanOrEqualTo(100_000);

    for (int second = 0; second < 10; second++) {
      fill(idle, 200_000);
      memory.share();
    }
    assertThat(idle.capacityKeys()).as("as much for both").isBetween(40_000, 50_000);
    assertThat(busy.capacityKeys()).isBetween(40_000, 50_000);
    memory.forget(busy);
    memory.share();
    assertThat(idle.capacityKeys()).isGreaterThan(90_000);
  }

  @Test
  void aWishMayChange() {
    HeatMemory memory = memory(MIB);
    HeatTracker tracker = track(memory, 5000);
    memory.wish(tracker, 300);
    memory.share();
    assertThat(tracker.capacityKeys()).isEqualTo(300);
    memory.wish(tracker, 600);
    memory.share();
    assertThat(tracker.capacityKeys()).isEqualTo(600);
  }

  @Test
  void listsHaveABoundOfTheirOwn() {
    HeatMemory memory = new HeatMemory(MIB, MIB, HeatMemory.LISTED_KEY_BYTES * 5_000L);
    assertThat(memory.list(5_001)).isFalse();
    assertThat(memory.list(3_000)).isTrue();
    assertThat(memory.list(2_001)).isFalse();
    memory.unlist(3_000);
    assertThat(memory.list(5_000)).isTrue();
  }

  @Property(tries = 500)
  void sharesAreFair(
      @ForAll @Size(max = 30) List<@LongRange(max = 1_000_000_000_000L) Long> demanded,
      @ForAll @LongRange(max = 10_000_000_000_000L) long available) {
    long[] demands = demanded.stream().mapToLong(Long::longValue).toArray();
    long[] shares = HeatMemory.fairShares(available, demands);
    long given = Arrays.stream(shares).sum();
    assertThat(given).isEqualTo(Math.min(available, Arrays.stream(demands).sum()));
    long largest = Arrays.stream(shares).max().orElse(0);
    for (int i = 0; i < shares.length; i++) {
      assertThat(shares[i]).isLessThanOrEqualTo(demands[i]);
      if (shares[i] < demands[i]) {
        assertThat(shares[i]).as("nobody has more").isGreaterThanOrEqualTo(largest - 1);
      }
    }
  }

  /** Whatever tables wish for and come and go, all together stay within their part. */
  @Property(tries = 60)
  void togetherTheyStayWithinTheMemory(
      @ForAll @Size(max = 60) List<@IntRange(max = 1_000_000) Integer> steps) {
    HeatMemory memory = memory(KEY_BYTES * 3000L);
    List<HeatTracker> trackers = new ArrayList<>();
    for (int step : steps) {
      int kind = step % 5;
      HeatTracker any = trackers.isEmpty() ? null : trackers.get(step / 5 % trackers.size());
      if (kind == 0 || any == null) {
        trackers.add(track(memory, 1 + step));
      } else if (kind == 1) {
        memory.forget(any);
        trackers.remove(any);
      } else if (kind == 2) {
        memory.wish(any, 1 + step);
      } else {
        fill(any, step % 5000);
        memory.share();
      }
      assertThat(trackers.stream().mapToLong(HeatTracker::capacityKeys).sum())
          .isLessThanOrEqualTo(3000 + trackers.size());
    }
  }
}
