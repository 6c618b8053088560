/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import io.kasane.copies.sstables.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses what to compact next from metadata alone (TIER section 3, "what to compact"):
 *
 * <ol>
 *   <li>while no compaction of slow SSTables runs, a slow one comes first: where the slow disk is
 *       to have all rows, the fast SSTables that hold rows of their own; else the SSTables whose
 *       hot rows have cost more than a rewrite; else those that reads have looked into for more
 *       than merging them costs; else the slow-only bucket with the most reads. One compactor of
 *       the node is always left to what follows ({@link SlowTierSlots});
 *   <li>when the fast disk lacks room, only fast-only buckets, of whatever sizes, those first that
 *       free most for what they write (where there is none, more slow-only ones rather than
 *       nothing);
 *   <li>else the bucket of like sizes with the most reads, wherever its SSTables lie. Where rows
 *       come to fast as copies, slow and fast SSTables are not compacted together: it would move
 *       nothing up and take room on fast for all shards at once. A fast-only bucket is next, else a
 *       slow-only one.
 * </ol>
 *
 * <p>Slow SSTables of hot rows (there was no room on fast, or there is no fast disk) and of cold
 * rows never share a bucket, and have thresholds of their own (COMPACT section 3).
 *
 * <p>Fast SSTables are cut at fixed tokens into shards, so a compaction of one shard needs spare
 * room for one shard only. Fast-only buckets never mix shards; a mixed bucket takes whole layers (a
 * layer is at most one fast SSTable of each shard), because slow rows spread over all shards. Every
 * compaction lowers a weighted count of layers, so that compaction comes to rest.
 *
 * <p>What a table does with its slow disk is paid in time of that disk: a look-up costs a seek, a
 * merge costs bytes. Rewriting and merging follow the ski-rental rule ({@link
 * SlowDiskPrice#isPaidFor}): rent (look into one SSTable more) until the rent paid equals the price
 * (read and write them once), then buy. With a read worth {@code c} bytes of sequential transfer
 * and SSTables of {@code b} bytes together the price is reached after {@code 2 b / c} look-ups: 200
 * MiB at 256 KiB a read = 1,600. Look-ups that memory answers cost nothing. Buckets of like sizes
 * are the bound where nothing is read.
 *
 * <p>Slow SSTables of two windows of time never share a bucket ({@link TimeWindows}). Those of a
 * window that is written no more are merged whatever their sizes.
 *
 * <p>A plain function of its arguments; thread-safe.
 */
public final class TierPicker {
  /** Fast SSTables below this share of all fast bytes are small. */
  private static final int SMALL_FAST_SHARE = 64;

  /**
   * And below this: copies of some kilobytes come to each shard all the time, and small ones are
   * merged with all other small ones, so that each would be written again a thousand times.
   */
  private static final long MAX_SMALL_FAST_BYTES = 1 << 20;

  private final PickerOptions options;

  public TierPicker(PickerOptions options) {
    this.options = options;
  }

  public PickerOptions options() {
    return options;
  }

  /**
   * Chooses the next compaction.
   *
   * @param candidates SSTables that nobody compacts now
   * @param slowTasks which compactions of slow SSTables are running
   * @param mayRewrite whether SSTables may be rewritten alone to sort their rows; the caller spaces
   *     this out, since the answer of heat changes slowly
   * @return nothing if no bucket is worth it
   */
  public <T> Optional<Pick<T>> pick(
      List<Candidate<T>> candidates, SlowTierLoad slowTasks, FastState fast, boolean mayRewrite) {
    List<Candidate<T>> slow = of(candidates, Tier.SLOW);
    if (slowTasks == SlowTierLoad.NONE) {
      Optional<Pick<T>> first = completion(candidates, fast);
      if (first.isPresent()) {
        return first;
      }
      first =
          (fast.hasRoom() && mayRewrite ? promotion(slow) : Optional.<Pick<T>>empty())
              .or(() -> paidFor(candidates, fast.slowRoomBytes()))
              .or(() -> mostRead(Pick.Kind.SLOW_ONLY, slowBuckets(slow)));
      if (first.isPresent()) {
        return first;
      }
    }
    List<List<Candidate<T>>> more =
        slowTasks == SlowTierLoad.ENOUGH ? List.of() : slowBuckets(slow);
    if (!fast.hasRoom()) {
      return mostFreed(fitting(wholeShards(candidates), fast))
          .or(() -> mayRewrite ? eviction(candidates, fast) : Optional.empty())
          .or(() -> mostRead(Pick.Kind.SLOW_ONLY, more));
    }
    if (options.moves().fastDisk() && !options.moves().mixesTiers()) {
      return mostRead(Pick.Kind.FAST_ONLY, fitting(fastBuckets(candidates), fast))
          .or(() -> mostRead(Pick.Kind.SLOW_ONLY, more));
    }
    return mostRead(Pick.Kind.ANY, fitting(mixedBuckets(candidates), fast))
        .or(() -> mostRead(Pick.Kind.FAST_ONLY, fitting(fastBuckets(candidates), fast)));
  }

  /** Whether fast SSTables would be merged now, were there room beside them. */
  public <T> boolean lacksRoomToMerge(List<Candidate<T>> candidates, FastState fast) {
    List<List<Candidate<T>>> due =
        fast.hasRoom() ? fastBuckets(candidates) : wholeShards(candidates);
    return !due.isEmpty() && fitting(due, fast).isEmpty();
  }

  /**
   * The shard with the most bytes that lie on fast only: a shard a task, since copies need room.
   */
  private <T> Optional<Pick<T>> completion(List<Candidate<T>> candidates, FastState fast) {
    if (!options.moves().completesSlow()) {
      return Optional.empty();
    }
    List<Candidate<T>> fastOnly =
        of(candidates, Tier.FAST).stream().filter(c -> !c.copy()).toList();
    return byShard(fastOnly).stream()
        .filter(shard -> bytes(shard) <= fast.slowRoomBytes())
        .max(Comparator.comparingLong(TierPicker::bytes))
        .map(
            shard -> new Pick<>(Pick.Kind.COMPLETE, shard.stream().map(Candidate::table).toList()));
  }

  private static <T> long bytes(List<Candidate<T>> candidates) {
    return candidates.stream().mapToLong(Candidate::bytes).sum();
  }

  /** How many compactions are due; an estimate for operators. */
  public <T> int pending(List<Candidate<T>> candidates) {
    return Stream.concat(
            slowBuckets(of(candidates, Tier.SLOW)).stream(), fastBuckets(candidates).stream())
        .mapToInt(bucket -> (bucket.size() - 1) / options.thresholds().max() + 1)
        .sum();
  }

  /**
   * The most of the smallest slow SSTables that reads have looked into for more than merging these
   * costs.
   *
   * @param slowRoomBytes what the slow disk has left
   */
  public <T> Optional<Pick<T>> paidFor(List<Candidate<T>> candidates, long slowRoomBytes) {
    return byWindow(of(candidates, Tier.SLOW)).stream()
        .map(window -> paidForOf(window, slowRoomBytes))
        .max(Comparator.comparingLong(TierPicker::wastedLookUps))
        .filter(paid -> !paid.isEmpty())
        .map(paid -> pickOf(Pick.Kind.PAID_FOR, paid));
  }

  private <T> List<Candidate<T>> paidForOf(List<Candidate<T>> slow, long slowRoomBytes) {
    List<Candidate<T>> bySize = smallest(slow, options.thresholds().max());
    int paid = 0;
    long wasted = 0;
    long bytes = 0;
    for (int i = 0; i < bySize.size(); i++) {
      wasted += bySize.get(i).wastedLookUps();
      bytes += bySize.get(i).bytes();
      if (i > 0 && bytes <= slowRoomBytes && options.price().isPaidFor(wasted, bytes)) {
        paid = i + 1;
      }
    }
    return bySize.subList(0, paid);
  }

  private static <T> List<Candidate<T>> smallest(List<Candidate<T>> slow, int most) {
    return slow.stream().sorted(Comparator.comparingLong(Candidate::bytes)).limit(most).toList();
  }

  private static <T> long wastedLookUps(List<Candidate<T>> candidates) {
    return candidates.stream().mapToLong(Candidate::wastedLookUps).sum();
  }

  private static <T> Pick<T> pickOf(Pick.Kind kind, List<Candidate<T>> chosen) {
    return new Pick<>(kind, chosen.stream().map(Candidate::table).toList());
  }

  /** Whether a slow SSTable's hot rows have cost more reads than rewriting it does. */
  public boolean isToBePromoted(Candidate<?> slow) {
    return options.moves().promotes()
        && options.price().isPaidFor(slow.misplacedReads(), slow.bytes());
  }

  private <T> Optional<Pick<T>> promotion(List<Candidate<T>> slow) {
    if (options.moves().completesSlow()) {
      return Optional.empty();
    }
    List<T> paid =
        slow.stream()
            .filter(this::isToBePromoted)
            .sorted(Comparator.comparingLong((Candidate<T> c) -> c.misplacedReads()).reversed())
            .limit(options.thresholds().max())
            .map(Candidate::table)
            .toList();
    return paid.isEmpty() ? Optional.empty() : Optional.of(new Pick<>(Pick.Kind.PROMOTE, paid));
  }

  /** No bucket to merge, but cold rows hold the room: rewrite the least read fast SSTable. */
  private <T> Optional<Pick<T>> eviction(List<Candidate<T>> candidates, FastState fast) {
    if (!fast.holdsColdRows()) {
      return Optional.empty();
    }
    return of(candidates, Tier.FAST).stream()
        .filter(c -> c.bytes() <= fast.roomBytes())
        .min(Comparator.comparingDouble(c -> (double) c.reads() / Math.max(1, c.bytes())))
        .map(c -> new Pick<>(Pick.Kind.EVICT, List.of(c.table())));
  }

  /** Of like heat and like size (COMPACT section 3): what is read much is merged sooner. */
  private <T> List<List<Candidate<T>>> slowBuckets(List<Candidate<T>> slow) {
    return byWindow(slow).stream()
        .flatMap(window -> window.get(0).open() ? openBuckets(window) : closedBucket(window))
        .toList();
  }

  private <T> Stream<List<Candidate<T>>> openBuckets(List<Candidate<T>> slow) {
    return Stream.concat(
        buckets(slow, false, options.thresholds().min()),
        buckets(slow, true, options.slowHotMinThreshold()));
  }

  /** What is written no more is merged into one SSTable of hot and one of cold rows. */
  private <T> Stream<List<Candidate<T>>> closedBucket(List<Candidate<T>> window) {
    long hot = window.stream().filter(Candidate::hot).count();
    boolean isMerged = hot <= 1 && window.size() - hot <= 1;
    // Three leave fewer behind, whatever heat says of their rows by now; two may leave two.
    int most = Math.max(3, options.thresholds().max());
    return isMerged ? Stream.empty() : Stream.of(smallest(window, most));
  }

  private static <T> Collection<List<Candidate<T>>> byWindow(List<Candidate<T>> slow) {
    return slow.stream()
        .collect(Collectors.groupingBy(Candidate::windowMillis, TreeMap::new, Collectors.toList()))
        .values();
  }

  private <T> Stream<List<Candidate<T>>> buckets(
      List<Candidate<T>> slow, boolean hot, int threshold) {
    List<Candidate<T>> alike = slow.stream().filter(c -> c.hot() == hot).toList();
    return options.sizes().of(alike).stream().filter(bucket -> bucket.size() >= threshold);
  }

  private <T> List<List<Candidate<T>>> fastBuckets(List<Candidate<T>> candidates) {
    List<Candidate<T>> fast = of(candidates, Tier.FAST);
    long fastBytes = fast.stream().mapToLong(Candidate::bytes).sum();
    SizeBuckets sizes =
        options.sizes().smallBelow(Math.min(MAX_SMALL_FAST_BYTES, fastBytes / SMALL_FAST_SHARE));
    List<List<Candidate<T>>> buckets = new ArrayList<>();
    for (List<Candidate<T>> shard : byShard(fast)) {
      sizes.of(shard).stream()
          .filter(bucket -> bucket.size() >= options.hotMinThreshold())
          .forEach(buckets::add);
    }
    return buckets;
  }

  /** Like sizes leave up to as many duplicates as rows; where room is short none may stay. */
  private <T> List<List<Candidate<T>>> wholeShards(List<Candidate<T>> candidates) {
    return byShard(of(candidates, Tier.FAST)).stream().filter(shard -> shard.size() > 1).toList();
  }

  private <T> List<List<Candidate<T>>> mixedBuckets(List<Candidate<T>> candidates) {
    List<Candidate<T>> alike =
        candidates.stream().filter(c -> c.tier() == Tier.FAST || !c.hot()).toList();
    return byWindow(alike).stream()
        .flatMap(window -> options.sizes().of(window).stream())
        .filter(bucket -> of(bucket, Tier.SLOW).size() > 0)
        .filter(bucket -> layers(bucket) >= options.thresholds().min())
        .toList();
  }

  private static <T> int layers(List<Candidate<T>> bucket) {
    int fastLayers = byShard(of(bucket, Tier.FAST)).stream().mapToInt(List::size).max().orElse(0);
    return of(bucket, Tier.SLOW).size() + fastLayers;
  }

  private static <T> List<List<Candidate<T>>> fitting(
      List<List<Candidate<T>>> buckets, FastState fast) {
    return buckets.stream()
        .filter(
            bucket ->
                of(bucket, Tier.FAST).stream().mapToLong(Candidate::bytes).sum()
                    <= fast.roomBytes())
        .toList();
  }

  /**
   * Duplicates are what lies beside a shard's largest SSTable. By reads it would nearly always be
   * the shard of the hottest row, however little there is to free.
   */
  private <T> Optional<Pick<T>> mostFreed(List<List<Candidate<T>>> shards) {
    return pick(
        Pick.Kind.FAST_ONLY,
        shards,
        Comparator.comparingDouble((List<Candidate<T>> shard) -> -shareOfLargest(shard)));
  }

  private static <T> double shareOfLargest(List<Candidate<T>> candidates) {
    long largest = candidates.stream().mapToLong(Candidate::bytes).max().orElse(0);
    return largest / (double) Math.max(1, bytes(candidates));
  }

  private <T> Optional<Pick<T>> mostRead(Pick.Kind kind, List<List<Candidate<T>>> buckets) {
    return pick(
        kind,
        buckets,
        Comparator.comparingDouble((List<Candidate<T>> b) -> hotness(b))
            .thenComparing(b -> -meanBytes(b)));
  }

  private <T> Optional<Pick<T>> pick(
      Pick.Kind kind, List<List<Candidate<T>>> buckets, Comparator<List<Candidate<T>>> order) {
    return buckets.stream()
        .map(this::trim)
        .max(order)
        .map(bucket -> new Pick<>(kind, bucket.stream().map(Candidate::table).toList()));
  }

  private <T> List<Candidate<T>> trim(List<Candidate<T>> bucket) {
    return bucket.stream()
        .sorted(Comparator.comparingLong((Candidate<T> c) -> c.reads()).reversed())
        .limit(bucket.get(0).open() ? options.thresholds().max() : bucket.size())
        .toList();
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

  /** TIER takes the bucket with the most reads, COMPACT (one disk) that with the most per key. */
  private <T> double hotness(List<Candidate<T>> bucket) {
    double reads = bucket.stream().mapToLong(Candidate::reads).sum();
    long keys = bucket.stream().mapToLong(Candidate::keys).sum();
    return options.moves().fastDisk() ? reads : reads / Math.max(1, keys);
  }

  private static <T> double meanBytes(List<Candidate<T>> bucket) {
    return bucket.stream().mapToLong(Candidate::bytes).average().orElse(0);
  }
}
