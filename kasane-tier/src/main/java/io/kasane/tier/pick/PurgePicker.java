/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import io.kasane.copies.sstables.Tier;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Chooses a shard of the fast disk that is to lose its tombstones. A tombstone may go only where no
 * other SSTable may hold what it deletes, and slow and fast SSTables are not merged otherwise: so
 * the shard is compacted together with the SSTables that keep it from purging, all at once.
 *
 * <p>That rewrites much to drop little. The caller says how many bytes it may rewrite now, and how
 * many tombstones the last purge of a shard had to leave: those alone are no reason for another.
 *
 * <p>A plain function of its arguments; thread-safe.
 */
public final class PurgePicker {
  private final double tombstoneThreshold;

  /**
   * A picker.
   *
   * @param tombstoneThreshold the share of a shard's cells that must be droppable
   */
  public PurgePicker(double tombstoneThreshold) {
    this.tombstoneThreshold = tombstoneThreshold;
  }

  /**
   * Chooses the shard with the most droppable cells, and with it each other one that is due and
   * brings no further slow SSTable along.
   *
   * @param live all live SSTables
   * @param leftCells how many droppable cells the last purge of a shard left
   * @param mayRewrite whether so many bytes may be rewritten now
   */
  public <T, K extends Comparable<? super K>> Optional<Pick<T>> pick(
      Collection<PurgeCandidate<T, K>> live,
      FastState fast,
      IntToDoubleFunction leftCells,
      LongPredicate mayRewrite) {
    Set<PurgeCandidate<T, K>> chosen = Set.of();
    for (List<PurgeCandidate<T, K>> shard : dueShards(live, leftCells)) {
      Set<PurgeCandidate<T, K>> more = new LinkedHashSet<>(chosen);
      more.addAll(withBlockers(shard, live));
      boolean sameSlow = chosen.isEmpty() || bytes(more, Tier.SLOW) == bytes(chosen, Tier.SLOW);
      if (sameSlow && isPossible(more, fast, mayRewrite)) {
        chosen = more;
      }
    }
    return chosen.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Pick<>(
                Pick.Kind.PURGE, chosen.stream().map(one -> one.candidate().table()).toList()));
  }

  private <T, K extends Comparable<? super K>> List<List<PurgeCandidate<T, K>>> dueShards(
      Collection<PurgeCandidate<T, K>> live, IntToDoubleFunction leftCells) {
    Map<Integer, List<PurgeCandidate<T, K>>> shards =
        live.stream()
            .filter(one -> one.candidate().tier() == Tier.FAST)
            .collect(Collectors.groupingBy(one -> one.candidate().shard()));
    return shards.entrySet().stream()
        .filter(shard -> isDue(shard.getValue(), leftCells.applyAsDouble(shard.getKey())))
        .map(Map.Entry::getValue)
        .sorted(Comparator.comparingDouble(shard -> -droppableCells(shard)))
        .toList();
  }

  private boolean isDue(List<? extends PurgeCandidate<?, ?>> shard, double leftCells) {
    double cells = shard.stream().mapToDouble(PurgeCandidate::cells).sum();
    double droppable = droppableCells(shard) - leftCells;
    return droppable >= 1 && droppable > tombstoneThreshold * cells;
  }

  private static double droppableCells(List<? extends PurgeCandidate<?, ?>> shard) {
    return shard.stream().mapToDouble(PurgeCandidate::droppableCells).sum();
  }

  private static <T, K extends Comparable<? super K>> Set<PurgeCandidate<T, K>> withBlockers(
      List<PurgeCandidate<T, K>> shard, Collection<PurgeCandidate<T, K>> live) {
    Set<PurgeCandidate<T, K>> all = new LinkedHashSet<>(shard);
    live.stream()
        .filter(other -> shard.stream().anyMatch(other::keepsFromPurging))
        .forEach(all::add);
    return all;
  }

  private static boolean isPossible(
      Set<? extends PurgeCandidate<?, ?>> inputs, FastState fast, LongPredicate mayRewrite) {
    long fastBytes = bytes(inputs, Tier.FAST);
    long allBytes = fastBytes + bytes(inputs, Tier.SLOW);
    return inputs.stream().allMatch(PurgeCandidate::idle)
        && fastBytes <= fast.roomBytes()
        && allBytes <= fast.slowRoomBytes()
        && mayRewrite.test(allBytes);
  }

  private static long bytes(Set<? extends PurgeCandidate<?, ?>> some, Tier tier) {
    return some.stream()
        .map(PurgeCandidate::candidate)
        .filter(one -> one.tier() == tier)
        .mapToLong(Candidate::bytes)
        .sum();
  }
}
