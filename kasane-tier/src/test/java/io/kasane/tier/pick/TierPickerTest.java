/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.PickerOptions.Moves;
import io.kasane.tier.pick.PickerOptions.Thresholds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TierPickerTest {
  private static final long MB = 1 << 20;
  private static final SizeBuckets SIZES = new SizeBuckets(0.5, 1.5, 50 * MB);
  private static final Moves MIXING = new Moves(true, true, true, false);
  private static final Moves COPYING = new Moves(true, true, false, false);
  private static final Moves COMPLETING = new Moves(true, true, false, true);
  private static final FastState ROOMY = new FastState(true, 100_000 * MB, false, 1_000 * MB);
  private static final FastState FULL = new FastState(false, 1_000 * MB, false, 1_000 * MB);

  private final PickerOptions options =
      new PickerOptions(new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(MB / 4, 1), MIXING);
  private final TierPicker picker = new TierPicker(options);

  private static Candidate<String> slow(String name, long mb, long reads) {
    return new Candidate<>(name, Tier.SLOW, false, false, 0, mb * MB, 1_000, reads, 0, 0);
  }

  private static Candidate<String> fast(String name, int shard, long mb, long reads) {
    return new Candidate<>(name, Tier.FAST, true, false, shard, mb * MB, 1_000, reads, 0, 0);
  }

  private static Candidate<String> hot(String name, long mb, long keys, long reads) {
    return new Candidate<>(name, Tier.SLOW, true, false, 0, mb * MB, keys, reads, 0, 0);
  }

  private static Candidate<String> misplaced(String name, long mb, long misplacedReads) {
    return new Candidate<>(
        name, Tier.SLOW, false, false, 0, mb * MB, 1_000, misplacedReads, misplacedReads, 0);
  }

  private Optional<Pick<String>> pick(
      List<Candidate<String>> candidates, boolean slowTaskRuns, FastState fast) {
    return picker.pick(
        candidates, slowTaskRuns ? SlowTierLoad.SOME : SlowTierLoad.NONE, fast, true);
  }

  /** A merge of slow SSTables may take a day; what comes to fast meanwhile must be merged. */
  @Test
  void oneCompactorIsLeftToTheFastDisk() {
    TierPicker copying =
        new TierPicker(
            new PickerOptions(
                new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(MB / 4, 1), COPYING));
    List<Candidate<String>> due =
        IntStream.range(0, 4).mapToObj(i -> slow("slow" + i, 100, 9)).toList();
    for (FastState state : List.of(ROOMY, FULL)) {
      assertThat(copying.pick(due, SlowTierLoad.SOME, state, false).orElseThrow().kind())
          .isEqualTo(Pick.Kind.SLOW_ONLY);
      assertThat(copying.pick(due, SlowTierLoad.ENOUGH, state, false)).isEmpty();
    }
    List<Candidate<String>> both = new ArrayList<>(due);
    both.add(fast("a", 0, 100, 1));
    both.add(fast("b", 0, 100, 1));
    assertThat(copying.pick(both, SlowTierLoad.ENOUGH, ROOMY, false))
        .hasValue(new Pick<>(Pick.Kind.FAST_ONLY, List.of("a", "b")));
  }

  /** Else each copy of some rows would have megabytes written again. */
  @Test
  void copiesOfAFewRowsAreMergedWithOneAnother() {
    List<Candidate<String>> live = new ArrayList<>(List.of(fast("rows", 0, 10_000, 9)));
    live.add(fast("merged before", 0, 40, 9));
    live.add(new Candidate<>("a", Tier.FAST, true, true, 0, MB / 32, 10, 1, 0, 0));
    live.add(new Candidate<>("b", Tier.FAST, true, true, 0, MB / 4, 80, 1, 0, 0));
    assertThat(pick(live, true, ROOMY))
        .hasValueSatisfying(pick -> assertThat(pick.tables()).containsExactlyInAnyOrder("a", "b"));
  }

  @Test
  void nothingToDo() {
    assertThat(pick(List.of(), false, ROOMY)).isEmpty();
    assertThat(pick(List.of(slow("a", 100, 9), slow("b", 100, 9)), false, ROOMY)).isEmpty();
  }

  @Test
  void rowsThatOnlyFastHoldsAreWrittenToSlowFirstWhereItIsToBeComplete() {
    TierPicker completing =
        new TierPicker(
            new PickerOptions(
                new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(MB / 4, 1), COMPLETING));
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      candidates.add(slow("slow" + i, 100, 1_000));
    }
    candidates.add(fast("small", 0, 10, 5));
    candidates.add(fast("large", 1, 20, 5));
    candidates.add(fast("large too", 1, 1, 5));
    candidates.add(new Candidate<>("copy", Tier.FAST, true, true, 1, 500 * MB, 1_000, 5, 0, 0));
    assertThat(completing.pick(candidates, SlowTierLoad.NONE, FULL, false))
        .hasValue(new Pick<>(Pick.Kind.COMPLETE, List.of("large", "large too")));
    assertThat(completing.pick(candidates, SlowTierLoad.SOME, FULL, false).map(Pick::kind))
        .isNotEqualTo(Optional.of(Pick.Kind.COMPLETE));
    FastState littleOnSlow = new FastState(false, 1_000 * MB, false, 15 * MB);
    assertThat(completing.pick(candidates, SlowTierLoad.NONE, littleOnSlow, false))
        .hasValue(new Pick<>(Pick.Kind.COMPLETE, List.of("small")));
    FastState nothingOnSlow = new FastState(false, 1_000 * MB, false, MB);
    assertThat(completing.pick(candidates, SlowTierLoad.NONE, nothingOnSlow, false).map(Pick::kind))
        .hasValue(Pick.Kind.SLOW_ONLY);
    assertThat(
            completing.pick(
                List.of(misplaced("large rows", 1, 1_000)), SlowTierLoad.NONE, ROOMY, true))
        .isEmpty();
    assertThat(pick(candidates, false, ROOMY).map(Pick::kind)).hasValue(Pick.Kind.SLOW_ONLY);
  }

  @Test
  void slowOnlyBucketWithMostReadsComesFirst() {
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      candidates.add(slow("small" + i, 100, 1));
      candidates.add(slow("large" + i, 1_000, 10));
      candidates.add(fast("fast" + i, 0, 100, 1_000));
    }
    Pick<String> pick = pick(candidates, false, ROOMY).orElseThrow();
    assertThat(pick.kind()).isEqualTo(Pick.Kind.SLOW_ONLY);
    assertThat(pick.tables()).containsExactlyInAnyOrder("large0", "large1", "large2", "large3");
  }

  @Test
  void whereRowsAreCopiedTheTiersAreNotCompactedTogether() {
    TierPicker copying =
        new TierPicker(
            new PickerOptions(
                new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(MB / 4, 1), COPYING));
    List<Candidate<String>> candidates =
        List.of(
            slow("s0", 100, 1), slow("s1", 100, 1), fast("f0", 0, 100, 50), fast("f1", 0, 100, 50));
    Pick<String> pick = copying.pick(candidates, SlowTierLoad.SOME, ROOMY, true).orElseThrow();
    assertThat(pick.kind()).isEqualTo(Pick.Kind.FAST_ONLY);
    assertThat(pick.tables()).containsExactlyInAnyOrder("f0", "f1");
    List<Candidate<String>> slow =
        List.of(slow("s0", 100, 1), slow("s1", 100, 1), slow("s2", 100, 1), slow("s3", 100, 1));
    assertThat(copying.pick(slow, SlowTierLoad.SOME, ROOMY, true).orElseThrow().kind())
        .isEqualTo(Pick.Kind.SLOW_ONLY);
  }

  @Test
  void withASlowTaskRunningAnyBucketGoes() {
    List<Candidate<String>> candidates =
        List.of(
            slow("s0", 100, 1), slow("s1", 100, 1), fast("f0", 0, 100, 50), fast("f1", 0, 100, 50));
    Pick<String> pick = pick(candidates, true, ROOMY).orElseThrow();
    assertThat(pick.kind()).isEqualTo(Pick.Kind.ANY);
    assertThat(pick.tables()).hasSize(4);
  }

  @Test
  void aLayerOfShardsCountsOnce() {
    List<Candidate<String>> candidates = new ArrayList<>(List.of(slow("s0", 100, 1)));
    for (int shard = 0; shard < 4; shard++) {
      candidates.add(fast("f" + shard, shard, 100, 1));
    }
    assertThat(pick(candidates, true, ROOMY)).isEmpty();
  }

  @Test
  void whenFastLacksRoomOnlyFastBucketsGo() {
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      candidates.add(slow("s" + i, 100, 1_000));
    }
    candidates.add(fast("f0", 1, 100, 1));
    candidates.add(fast("f1", 1, 100, 1));
    Pick<String> pick = pick(candidates, true, FULL).orElseThrow();
    assertThat(pick.kind()).isEqualTo(Pick.Kind.FAST_ONLY);
    assertThat(pick.tables()).containsExactlyInAnyOrder("f0", "f1");
  }

  @Test
  void whereRoomIsShortDuplicatesMergeWhateverTheirSizes() {
    List<Candidate<String>> candidates =
        List.of(fast("f0", 1, 400, 1), fast("f1", 1, 50, 1), fast("f2", 2, 50, 1));
    assertThat(pick(candidates, true, ROOMY)).isEmpty();
    assertThat(pick(candidates, true, FULL).orElseThrow().tables())
        .containsExactlyInAnyOrder("f0", "f1");
  }

  @Test
  void whereRoomIsShortTheShardGoesThatFreesMostForWhatItWrites() {
    List<Candidate<String>> candidates =
        List.of(
            fast("hottest", 0, 400, 9_000),
            fast("hottest, little new", 0, 10, 900),
            fast("other", 1, 300, 1),
            fast("other, new", 1, 30, 1),
            fast("large", 2, 900, 1),
            fast("large, new", 2, 60, 1));
    assertThat(pick(candidates, true, FULL).orElseThrow().tables())
        .containsExactlyInAnyOrder("other", "other, new");
  }

  @Test
  void fastBucketsNeverMixShards() {
    assertThat(pick(List.of(fast("f0", 0, 100, 1), fast("f1", 1, 100, 1)), true, FULL)).isEmpty();
  }

  @Test
  void aFastBucketThatCannotBeRewrittenBesideItselfWaits() {
    FastState tight = new FastState(false, 150 * MB, false, 1_000 * MB);
    List<Candidate<String>> pair = List.of(fast("f0", 0, 100, 1), fast("f1", 0, 100, 1));
    assertThat(pick(pair, true, tight)).isEmpty();
    assertThat(picker.lacksRoomToMerge(pair, tight)).isTrue();
    FastState enough = new FastState(false, 200 * MB, false, 1_000 * MB);
    assertThat(pick(pair, true, enough)).isPresent();
    assertThat(picker.lacksRoomToMerge(pair, enough)).isFalse();
    assertThat(picker.lacksRoomToMerge(pair.subList(0, 1), tight)).isFalse();
  }

  @Test
  void coldRowsOnAFullFastDiskAreEvictedAlone() {
    FastState coldAndFull = new FastState(false, 1_000 * MB, true, 1_000 * MB);
    List<Candidate<String>> candidates =
        List.of(fast("read", 0, 100, 900), fast("idle", 1, 100, 1));
    assertThat(pick(candidates, true, coldAndFull).orElseThrow().tables()).containsExactly("idle");
    assertThat(picker.pick(candidates, SlowTierLoad.SOME, coldAndFull, false)).isEmpty();
  }

  @Test
  void aSlowSSTableIsRewrittenOnceItsHotRowsHaveCostAsMuch() {
    // 2 * 100 MB / 256 KB a read = 800 reads
    assertThat(pick(List.of(misplaced("a", 100, 799)), false, ROOMY)).isEmpty();
    Pick<String> pick = pick(List.of(misplaced("a", 100, 800)), false, ROOMY).orElseThrow();
    assertThat(pick.kind()).isEqualTo(Pick.Kind.PROMOTE);
  }

  private static Candidate<String> wasted(String name, boolean hot, long mb, long lookUps) {
    return new Candidate<>(name, Tier.SLOW, hot, false, 0, mb * MB, 1_000, 0, 0, lookUps);
  }

  @Test
  void slowSSTablesAreMergedOnceLookUpsHaveCostAsMuch() {
    // 2 * (10 + 20) MB / 256 KB a look-up = 240
    assertThat(pick(List.of(wasted("b", true, 20, 239), wasted("a", false, 10, 0)), false, ROOMY))
        .isEmpty();
    assertThat(pick(List.of(wasted("b", true, 20, 240), wasted("a", false, 10, 0)), false, ROOMY))
        .hasValue(new Pick<>(Pick.Kind.PAID_FOR, List.of("a", "b")));
  }

  @Test
  void asManyAreMergedAsArePaidForTogether() {
    List<Candidate<String>> candidates =
        List.of(
            wasted("a", false, 10, 0),
            wasted("b", false, 10, 500),
            wasted("c", false, 40, 0),
            wasted("d", false, 1_000, 400));
    assertThat(pick(candidates, false, ROOMY).orElseThrow().tables())
        .containsExactly("a", "b", "c");
  }

  @Test
  void noMergeIsPaidForByOneSSTableOrWithoutRoomOrBesideAnother() {
    assertThat(pick(List.of(wasted("alone", false, 10, 1_000_000)), false, ROOMY)).isEmpty();
    List<Candidate<String>> paid =
        List.of(wasted("a", false, 600, 0), wasted("b", false, 600, 1_000_000));
    assertThat(pick(paid, false, ROOMY)).as("1,200 MB into 1,000").isEmpty();
    List<Candidate<String>> small = List.of(wasted("a", false, 6, 0), wasted("b", false, 6, 9_999));
    assertThat(pick(small, true, ROOMY)).isEmpty();
    assertThat(pick(small, false, FULL).map(Pick::kind)).hasValue(Pick.Kind.PAID_FOR);
  }

  @Test
  void writesMayCostMoreThanReads() {
    PickerOptions dear =
        new PickerOptions(new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(MB / 4, 9), MIXING);
    // 10 * 30 MB / 256 KB a look-up = 1,200
    assertThat(dear.price().isPaidFor(1_199, 30 * MB)).isFalse();
    assertThat(dear.price().isPaidFor(1_200, 30 * MB)).isTrue();
    assertThat(options.withoutFastDisk().price().isPaidFor(240, 30 * MB))
        .as("on one disk")
        .isTrue();
    PickerOptions off =
        new PickerOptions(new Thresholds(4, 2, 32), SIZES, new SlowDiskPrice(0, 1), MIXING);
    assertThat(off.price().isPaidFor(Long.MAX_VALUE, 0)).isFalse();
  }

  @Test
  void noRewriteWithoutRoomOrLeaveOrWhenSwitchedOff() {
    List<Candidate<String>> due = List.of(misplaced("a", 100, 8_000));
    assertThat(pick(due, false, FULL)).isEmpty();
    assertThat(picker.pick(due, SlowTierLoad.NONE, ROOMY, false)).isEmpty();
    assertThat(new TierPicker(options.withoutFastDisk()).pick(due, SlowTierLoad.NONE, ROOMY, true))
        .isEmpty();
  }

  @Test
  void neverMoreThanMaxThreshold() {
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      candidates.add(slow("s" + i, 100, i));
    }
    assertThat(pick(candidates, false, ROOMY).orElseThrow().tables()).hasSize(32).contains("s99");
  }

  @Test
  void hotAndColdSSTablesOnOneDiskHaveThresholdsOfTheirOwn() {
    TierPicker oneDisk =
        new TierPicker(
            new PickerOptions(
                new Thresholds(6, 2, 32), SIZES, new SlowDiskPrice(0, 1), Moves.ON_ONE_DISK));
    List<Candidate<String>> candidates = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      candidates.add(slow("cold" + i, 100, 1_000));
    }
    candidates.add(hot("hot0", 100, 10, 1));
    assertThat(oneDisk.pick(candidates, SlowTierLoad.NONE, ROOMY, false)).isEmpty();

    candidates.add(hot("hot1", 100, 10, 1));
    assertThat(oneDisk.pick(candidates, SlowTierLoad.NONE, ROOMY, false).orElseThrow().tables())
        .containsExactlyInAnyOrder("hot0", "hot1");
  }

  @Test
  void onOneDiskTheBucketWithTheMostReadsPerKeyGoes() {
    TierPicker oneDisk = new TierPicker(options.withoutFastDisk());
    List<Candidate<String>> candidates =
        List.of(
            hot("many0", 100, 100_000, 5_000),
            hot("many1", 100, 100_000, 5_000),
            hot("few0", 1_000, 10, 50),
            hot("few1", 1_000, 10, 50));

    assertThat(oneDisk.pick(candidates, SlowTierLoad.NONE, ROOMY, false).orElseThrow().tables())
        .containsExactlyInAnyOrder("few0", "few1");
  }

  @Test
  void hotSSTablesOnSlowNeverShareABucketWithColdOnes() {
    List<Candidate<String>> candidates =
        List.of(
            slow("c0", 100, 1),
            slow("c1", 100, 1),
            hot("h0", 100, 1_000, 1),
            hot("h1", 100, 1_000, 1),
            fast("f0", 0, 100, 1));
    assertThat(pick(candidates, false, ROOMY)).isEmpty();
    assertThat(pick(candidates, true, ROOMY)).isEmpty();
  }

  /**
   * Whatever lies around, compaction comes to rest: each pick is carried out as one cold SSTable,
   * one hot one on slow and one fast SSTable a shard, the most that a compaction can leave behind;
   * where rows are copied, a merge of fast SSTables leaves nothing on slow.
   */
  @Property(tries = 200)
  void compactionComesToRest(
      @ForAll Random random,
      @ForAll @IntRange(min = 3, max = 6) int minThreshold,
      @ForAll @IntRange(min = 2, max = 6) int hotMinThreshold,
      @ForAll boolean mixesTiers) {
    PickerOptions numbers =
        new PickerOptions(
            new Thresholds(minThreshold, hotMinThreshold, 32),
            SIZES,
            new SlowDiskPrice(MB / 4, 1),
            mixesTiers ? MIXING : COPYING);
    requireRest(new TierPicker(numbers), random, true, mixesTiers);
  }

  /** On one disk, with any thresholds. */
  @Property(tries = 200)
  void compactionComesToRestOnOneDisk(
      @ForAll Random random,
      @ForAll @IntRange(min = 2, max = 6) int minThreshold,
      @ForAll @IntRange(min = 2, max = 6) int hotMinThreshold) {
    PickerOptions numbers =
        new PickerOptions(
            new Thresholds(minThreshold, hotMinThreshold, 32),
            SIZES,
            new SlowDiskPrice(0, 1),
            Moves.ON_ONE_DISK);
    requireRest(new TierPicker(numbers), random, false, false);
  }

  private static void requireRest(
      TierPicker picker, Random random, boolean fastDisk, boolean mixesTiers) {
    List<Candidate<String>> live = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      long mb = random.nextInt(400) + 1L;
      if (fastDisk && random.nextBoolean()) {
        live.add(fast("t" + i, random.nextInt(4), mb, 0));
      } else {
        live.add(wasted("t" + i, random.nextBoolean(), mb, random.nextInt(3_000)));
      }
    }
    for (int round = 0; round < 500; round++) {
      Optional<Pick<String>> pick =
          picker.pick(live, SlowTierLoad.values()[random.nextInt(3)], ROOMY, false);
      if (pick.isEmpty()
          && picker.pick(live, SlowTierLoad.NONE, ROOMY, false).isEmpty()
          && picker.pick(live, SlowTierLoad.SOME, ROOMY, false).isEmpty()) {
        return;
      }
      if (pick.isPresent()) {
        carryOut(pick.get(), live, "r" + round, random, fastDisk, mixesTiers);
      }
    }
    throw new AssertionError("still compacting after 500 rounds: " + live);
  }

  private static void carryOut(
      Pick<String> pick,
      List<Candidate<String>> live,
      String name,
      Random random,
      boolean fastDisk,
      boolean mixesTiers) {
    List<Candidate<String>> inputs =
        live.stream().filter(c -> pick.tables().contains(c.table())).toList();
    live.removeAll(inputs);
    long bytes = inputs.stream().mapToLong(Candidate::bytes).sum();
    boolean wholeLayer = pick.kind() != Pick.Kind.FAST_ONLY;
    int outputs = wholeLayer ? 6 : 2;
    for (int shard = 0; fastDisk && shard < 4; shard++) {
      if (wholeLayer || shard == inputs.get(0).shard()) {
        live.add(fast(name + "f" + shard, shard, 1 + bytes / outputs / MB, 0));
      }
    }
    if (fastDisk && !wholeLayer && !mixesTiers) {
      return; // rows that cooled stay where they are while there is room
    }
    long slowBytes = 1 + (wholeLayer ? bytes / outputs : (long) random.nextInt(1 << 20));
    live.add(new Candidate<>(name + "s", Tier.SLOW, false, false, 0, slowBytes, 1_000, 0, 0, 0));
    if (wholeLayer) {
      live.add(new Candidate<>(name + "h", Tier.SLOW, true, false, 0, slowBytes, 1_000, 0, 0, 0));
    }
  }
}
