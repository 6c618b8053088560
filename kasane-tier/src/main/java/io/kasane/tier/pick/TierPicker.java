/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import io.kasane.tier.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Chooses what to compact next from metadata alone (TIER section 3, "what to compact"):
 *
 * <ol>
 *   <li>while no compaction of slow SSTables runs, a slow one comes first: the SSTables whose hot
 *       rows have cost more than a rewrite, else the slow-only bucket with the most reads;
 *   <li>when the fast disk lacks room, only fast-only buckets;
 *   <li>else the bucket of like sizes with the most reads, wherever its SSTables lie.
 * </ol>
 *
 * <p>Fast SSTables are cut at fixed tokens into shards, so a compaction of one shard needs spare
 * room for one shard only; buckets never mix shards.
 *
 * <p>The rewrite rule is the ski-rental rule: rent (read the hot row from the slow disk) until the
 * rent paid equals the price (read and write the SSTable once), then buy. It costs at most twice
 * what an oracle would have paid. With a read worth {@code c} bytes of sequential transfer and an
 * SSTable of {@code b} bytes the price is reached after {@code 2 b / c} misplaced reads: 200 MiB at
 * 256 KiB a read = 1,600 reads.
 *
 * <p>A plain function of its arguments; thread-safe.
 */
public final class TierPicker {
  private final PickerOptions options;

  public TierPicker(PickerOptions options) {
    this.options = options;
  }

  /**
   * Chooses the next compaction.
   *
   * @param candidates SSTables that nobody compacts now
   * @param slowTaskRuns whether a compaction of slow SSTables is running
   * @param fastHasRoom whether the fast disk can take another SSTable
   * @return nothing if no bucket is worth it
   */
  public <T> Optional<Pick<T>> pick(
      List<Candidate<T>> candidates, boolean slowTaskRuns, boolean fastHasRoom) {
    List<Candidate<T>> slow = of(candidates, Tier.SLOW);
    if (!slowTaskRuns) {
      Optional<Pick<T>> first =
          (fastHasRoom ? promotion(slow) : Optional.<Pick<T>>empty())
              .or(() -> mostRead(Pick.Kind.SLOW_ONLY, slowBuckets(slow)));
      if (first.isPresent()) {
        return first;
      }
    }
    List<List<Candidate<T>>> fastBuckets = fastBuckets(of(candidates, Tier.FAST));
    if (!fastHasRoom) {
      return mostRead(Pick.Kind.FAST_ONLY, fastBuckets);
    }
    return mostRead(Pick.Kind.ANY, anyBuckets(candidates))
        .or(() -> mostRead(Pick.Kind.FAST_ONLY, fastBuckets));
  }

  /** How many compactions are due; an estimate for operators. */
  public <T> int pending(List<Candidate<T>> candidates) {
    List<Candidate<T>> slow = of(candidates, Tier.SLOW);
    return Stream.concat(
                slowBuckets(slow).stream(), fastBuckets(of(candidates, Tier.FAST)).stream())
            .mapToInt(
                bucket -> (bucket.size() + options.maxThreshold() - 1) / options.maxThreshold())
            .sum()
        + (promotion(slow).isPresent() ? 1 : 0);
  }

  /**
   * The ski-rental rule.
   *
   * @param slowReadCostBytes see {@link PickerOptions}
   */
  public static boolean isPaidFor(Candidate<?> candidate, long slowReadCostBytes) {
    return candidate.misplacedReads() > 0
        && candidate.misplacedReads() * (double) slowReadCostBytes >= 2.0 * candidate.bytes();
  }

  private <T> Optional<Pick<T>> promotion(List<Candidate<T>> slow) {
    if (options.slowReadCostBytes() == 0) {
      return Optional.empty();
    }
    List<T> paid =
        slow.stream()
            .filter(c -> isPaidFor(c, options.slowReadCostBytes()))
            .sorted(Comparator.comparingLong((Candidate<T> c) -> c.misplacedReads()).reversed())
            .limit(options.maxThreshold())
            .map(Candidate::table)
            .toList();
    return paid.isEmpty() ? Optional.empty() : Optional.of(new Pick<>(Pick.Kind.PROMOTE, paid));
  }

  private <T> List<List<Candidate<T>>> slowBuckets(List<Candidate<T>> slow) {
    return eligible(SizeBuckets.of(slow, options), options.minThreshold());
  }

  private <T> List<List<Candidate<T>>> fastBuckets(List<Candidate<T>> fast) {
    List<List<Candidate<T>>> buckets = new ArrayList<>();
    for (List<Candidate<T>> shard : byShard(fast)) {
      buckets.addAll(eligible(SizeBuckets.of(shard, options), options.hotMinThreshold()));
    }
    return buckets;
  }

  private <T> List<List<Candidate<T>>> anyBuckets(List<Candidate<T>> candidates) {
    List<Candidate<T>> slow = of(candidates, Tier.SLOW);
    List<List<Candidate<T>>> buckets = new ArrayList<>();
    List<List<Candidate<T>>> shards = byShard(of(candidates, Tier.FAST));
    for (List<Candidate<T>> shard : shards.isEmpty() ? List.of(List.<Candidate<T>>of()) : shards) {
      List<Candidate<T>> both = new ArrayList<>(slow);
      both.addAll(shard);
      buckets.addAll(eligible(SizeBuckets.of(both, options), options.minThreshold()));
    }
    return buckets;
  }

  private <T> Optional<Pick<T>> mostRead(Pick.Kind kind, List<List<Candidate<T>>> buckets) {
    return buckets.stream()
        .map(this::trim)
        .max(
            Comparator.comparingLong((List<Candidate<T>> b) -> reads(b))
                .thenComparing(b -> -meanBytes(b)))
        .map(bucket -> new Pick<>(kind, bucket.stream().map(Candidate::table).toList()));
  }

  private <T> List<Candidate<T>> trim(List<Candidate<T>> bucket) {
    return bucket.stream()
        .sorted(Comparator.comparingLong((Candidate<T> c) -> c.reads()).reversed())
        .limit(options.maxThreshold())
        .toList();
  }

  private static <T> List<List<Candidate<T>>> eligible(
      List<List<Candidate<T>>> buckets, int minThreshold) {
    return buckets.stream().filter(bucket -> bucket.size() >= minThreshold).toList();
  }

  private static <T> List<List<Candidate<T>>> byShard(List<Candidate<T>> fast) {
    TreeMap<Integer, List<Candidate<T>>> shards = new TreeMap<>();
    for (Candidate<T> candidate : fast) {
      shards.computeIfAbsent(candidate.shard(), shard -> new ArrayList<>()).add(candidate);
    }
    return List.copyOf(shards.values());
  }

  private static <T> List<Candidate<T>> of(List<Candidate<T>> candidates, Tier tier) {
    return candidates.stream().filter(c -> c.tier() == tier).toList();
  }

  private static <T> long reads(List<Candidate<T>> bucket) {
    return bucket.stream().mapToLong(Candidate::reads).sum();
  }

  private static <T> double meanBytes(List<Candidate<T>> bucket) {
    return bucket.stream().mapToLong(Candidate::bytes).average().orElse(0);
  }
}
