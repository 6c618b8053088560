/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PurgePickerTest {
  private static final long MB = 1 << 20;
  private static final FastState ROOMY = new FastState(true, 100_000 * MB, false, 100_000 * MB);
  private static final int CELLS = 1_000;
  private static final int SHARD_KEYS = 100;

  private final PurgePicker picker = new PurgePicker(0.2);

  private static PurgeCandidate<String, Integer> fast(String name, int shard, int droppable) {
    return new PurgeCandidate<>(
        new Candidate<>(name, Tier.FAST, true, false, shard, 10 * MB, 10, 0, 0, 0),
        true,
        droppable,
        CELLS,
        50,
        60,
        shard * SHARD_KEYS,
        (shard + 1) * SHARD_KEYS - 1);
  }

  private static PurgeCandidate<String, Integer> slow(String name, int first, int last) {
    return slow(name, first, last, 1, true);
  }

  private static PurgeCandidate<String, Integer> slow(
      String name, int first, int last, long minTimestamp, boolean idle) {
    return new PurgeCandidate<>(
        new Candidate<>(name, Tier.SLOW, false, false, 0, 100 * MB, 10, 0, 0, 0),
        idle,
        CELLS,
        CELLS,
        minTimestamp,
        70,
        first,
        last);
  }

  private Optional<Pick<String>> pick(List<PurgeCandidate<String, Integer>> live) {
    return picker.pick(live, ROOMY, shard -> 0, bytes -> true);
  }

  private static Optional<Pick<String>> purge(String... tables) {
    return Optional.of(new Pick<>(Pick.Kind.PURGE, List.of(tables)));
  }

  @Test
  void aShardIsPurgedTogetherWithWhatKeepsItsTombstones() {
    assertThat(pick(List.of(fast("f", 0, 300), slow("base", 0, 400))))
        .isEqualTo(purge("f", "base"));
  }

  @Test
  void whatLiesElsewhereOrIsYoungerStays() {
    assertThat(
            pick(
                List.of(
                    fast("f", 0, 300),
                    slow("other keys", 100, 400),
                    slow("younger", 0, 400, 61, true),
                    slow("first key", 0, 0),
                    slow("as old as the last", 99, 200, 60, true))))
        .isEqualTo(purge("f", "first key", "as old as the last"));
  }

  @Test
  void countsCellsOverTheShard() {
    PurgeCandidate<String, Integer> base = slow("base", 0, 400);
    assertThat(pick(List.of(fast("f", 0, 300), fast("g", 0, 100), base))).isEmpty();
    assertThat(pick(List.of(fast("f", 0, 300), fast("g", 0, 101), base)))
        .isEqualTo(purge("f", "g", "base"));
    assertThat(pick(List.of(fast("f", 0, 300), fast("g", 1, 0), base)))
        .isEqualTo(purge("f", "base"));
    assertThat(pick(List.of(base))).isEmpty();
  }

  @Test
  void waitsUntilAllOfThemAreIdle() {
    assertThat(
            pick(List.of(fast("f", 0, 300), slow("base", 0, 400), slow("busy", 50, 60, 1, false))))
        .isEmpty();
    assertThat(
            pick(
                List.of(
                    fast("f", 0, 300), slow("base", 0, 400), slow("younger", 50, 60, 61, false))))
        .isEqualTo(purge("f", "base"));
  }

  @Test
  void shardsThatBringNoFurtherSlowSSTableComeAlong() {
    List<PurgeCandidate<String, Integer>> live =
        List.of(
            fast("few", 0, 300),
            fast("most", 1, 900),
            fast("none", 2, 0),
            fast("far", 3, 500),
            slow("base", 0, 299),
            slow("far base", 300, 400));
    assertThat(pick(live)).isEqualTo(purge("most", "base", "few"));
    FastState roomForOne = new FastState(false, 15 * MB, false, 1_000 * MB);
    assertThat(picker.pick(live, roomForOne, shard -> 0, bytes -> true))
        .isEqualTo(purge("most", "base"));
  }

  @Test
  void needsRoomOnBothDisksAndLeaveToRewrite() {
    List<PurgeCandidate<String, Integer>> live =
        List.of(fast("f", 0, 300), slow("base", 0, 400), slow("base too", 0, 400));
    FastState fastFull = new FastState(true, 9 * MB, false, 1_000 * MB);
    assertThat(picker.pick(live, fastFull, shard -> 0, bytes -> true)).isEmpty();
    FastState slowFull = new FastState(true, 10 * MB, false, 209 * MB);
    assertThat(picker.pick(live, slowFull, shard -> 0, bytes -> true)).isEmpty();
    FastState enough = new FastState(true, 10 * MB, false, 210 * MB);
    assertThat(picker.pick(live, enough, shard -> 0, bytes -> bytes < 210 * MB)).isEmpty();
    assertThat(picker.pick(live, enough, shard -> 0, bytes -> bytes <= 210 * MB)).isPresent();
  }

  @Test
  void whatAPurgeHadToLeaveIsNoReasonForAnother() {
    List<PurgeCandidate<String, Integer>> live = List.of(fast("f", 0, 500), slow("base", 0, 400));
    assertThat(picker.pick(live, ROOMY, shard -> 300, bytes -> true)).isEmpty();
    assertThat(picker.pick(live, ROOMY, shard -> 299, bytes -> true)).isPresent();
    assertThat(new PurgePicker(0).pick(live, ROOMY, shard -> 500, bytes -> true)).isEmpty();
  }

  /**
   * Purges bring slow rows to fast and leave more SSTables than they found; still compaction comes
   * to rest, whatever they manage to purge.
   */
  @Property(tries = 200)
  void compactionComesToRest(@ForAll Random random) {
    TierPicker ordinary =
        new TierPicker(
            new PickerOptions(
                new PickerOptions.Thresholds(4, 3, 32),
                new SizeBuckets(0.5, 1.5, 50 * MB),
                new SlowDiskPrice(MB / 4, 1),
                new PickerOptions.Moves(true, true, false, false)));
    List<PurgeCandidate<String, Integer>> live = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      live.add(
          random.nextBoolean()
              ? fast("t" + i, random.nextInt(4), random.nextInt(CELLS))
              : slow("t" + i, random.nextInt(200), 200 + random.nextInt(200)));
    }
    Map<Integer, Double> left = new HashMap<>();
    int purges = 0;
    for (int round = 0; round < 500; round++) {
      List<Candidate<String>> candidates = live.stream().map(PurgeCandidate::candidate).toList();
      Optional<Pick<String>> purge =
          picker.pick(live, ROOMY, shard -> left.getOrDefault(shard, 0.0), bytes -> true);
      Optional<Pick<String>> next =
          ordinary
              .pick(candidates, SlowTierLoad.values()[random.nextInt(3)], ROOMY, false)
              .or(() -> purge);
      if (next.isEmpty() && ordinary.pick(candidates, SlowTierLoad.NONE, ROOMY, false).isEmpty()) {
        assertThat(purges).isLessThanOrEqualTo(8);
        return;
      }
      if (next.isPresent()) {
        carryOut(next.get(), live, "r" + round, left, random);
        purges += next.get().kind() == Pick.Kind.PURGE ? 1 : 0;
      }
    }
    throw new AssertionError("still compacting after 500 rounds: " + live);
  }

  /** Only a purge drops tombstones, of those that are droppable a random share. */
  private static void carryOut(
      Pick<String> pick,
      List<PurgeCandidate<String, Integer>> live,
      String name,
      Map<Integer, Double> left,
      Random random) {
    List<PurgeCandidate<String, Integer>> inputs =
        live.stream().filter(one -> pick.tables().contains(one.candidate().table())).toList();
    live.removeAll(inputs);
    int shards = 4;
    boolean purge = pick.kind() == Pick.Kind.PURGE;
    if (pick.kind() == Pick.Kind.FAST_ONLY) {
      int droppable = (int) inputs.stream().mapToDouble(PurgeCandidate::droppableCells).sum();
      live.add(fast(name, inputs.get(0).candidate().shard(), droppable));
      return;
    }
    live.add(slow(name + "s", 0, 400));
    for (int shard = 0; shard < shards; shard++) {
      int of = shard;
      boolean wasPurged =
          inputs.stream()
              .map(PurgeCandidate::candidate)
              .anyMatch(one -> one.tier() == Tier.FAST && one.shard() == of);
      if (purge && wasPurged) {
        left.remove(shard);
      }
      int droppable = random.nextInt(CELLS);
      live.add(fast(name + "f" + shard, shard, droppable));
      if (purge) {
        left.merge(shard, (double) droppable, Double::sum);
      }
    }
  }
}
