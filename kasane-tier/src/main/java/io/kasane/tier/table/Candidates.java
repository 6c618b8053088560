/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.Temperature;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.FastState;
import io.kasane.tier.pick.SlowTierLoad;
import io.kasane.tier.pick.TierPicker;
import io.kasane.tier.quota.QuotaGuard;
import io.kasane.tier.sstables.SSTableTemperature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Builds the input of the pickers from a table, and decides whether a compaction is due although
 * nothing was written.
 */
public final class Candidates {
  /** Of the bytes that are hot: clearly more than rows that stay beside them take. */
  private static final double MORE_THAN_STAYS = 1.05 * TierOptions.KEEP_FACTOR;

  /** Of what lies on fast: each flush leaves a row on slow, and like sizes merge these. */
  private static final double MIN_RISING_SHARE = 0.01;

  private Candidates() {}

  /** Before it is known which are, nothing must be written to slow for not being one. */
  public static Predicate<Descriptor> isCopy(Optional<TieredTable> table) {
    if (table.isEmpty() || !table.get().skippable().isRestored()) {
      return sstable -> true;
    }
    return table.get().copies().all()::contains;
  }

  public static Candidate<SSTableReader> of(
      Optional<TieredTable> table, SSTableReader sstable, Predicate<Descriptor> isCopy) {
    if (table.isEmpty()) {
      long keys = sstable.estimatedKeys();
      return new Candidate<>(
          sstable, Tier.SLOW, false, false, 0, sstable.onDiskLength(), keys, 0, 0, 0);
    }
    TieredTable tiers = table.get();
    Tier tier = tiers.disks().tierOf(sstable.descriptor);
    return new Candidate<>(
        sstable,
        tier,
        SSTableTemperature.isHot(sstable, tier),
        tier == Tier.FAST && isCopy.test(sstable.descriptor),
        tier == Tier.FAST ? tiers.room().shards().of(sstable.getFirst().getToken()) : 0,
        sstable.onDiskLength(),
        sstable.estimatedKeys(),
        tiers.readStats().readsOf(sstable.descriptor),
        tiers.readStats().misplacedReadsOf(sstable.descriptor),
        tiers.readStats().wastedLookUpsOf(sstable.descriptor));
  }

  public static FastState fastState(TieredTable table) {
    return new FastState(
        table.room().spareBytes() > 0,
        table.fast().spareRoomBytes(),
        letsUnreadRowsLeave(table)
            && table.disks().liveBytes(Tier.FAST)
                > MORE_THAN_STAYS * table.heat().hotSet().hotBytes(),
        table.disks().slowRoomBytes());
  }

  /** As {@link TierTask} does; else an SSTable would be rewritten again and again as it is. */
  private static boolean letsUnreadRowsLeave(TieredTable table) {
    return table.heat().hotSet().others() == Temperature.COLD
        || (table.heat().isWarm() && table.copiesRows());
  }

  /** Whether rows on fast wait to be written to slow, too. */
  public static boolean hasCompletionDue(TieredTable table) {
    return table.isCache()
        && table.skippable().isRestored()
        && table.fast().takesWrites()
        && table.copies().fastOnlyBytes() > 0;
  }

  /**
   * What lies on slow of a table that is small beside its quota: it lay there before Kasane came,
   * or was streamed. As many SSTables as may be compacted at once; none where it is next to
   * nothing.
   */
  static List<SSTableReader> rising(TieredTable table, Iterable<SSTableReader> idle) {
    List<SSTableReader> slow = new ArrayList<>();
    idle.forEach(
        sstable -> {
          if (table.disks().tierOf(sstable.descriptor) == Tier.SLOW
              && !sstable.isMarkedSuspect()
              && !sstable.isPendingRepair()) {
            slow.add(sstable);
          }
        });
    slow.sort(Comparator.comparingLong(table.disks()::bytesOf));
    long leastBytes = (long) (MIN_RISING_SHARE * table.disks().liveBytes(Tier.FAST));
    if (table.disks().bytesOf(slow) < leastBytes) {
      return List.of();
    }
    List<SSTableReader> all = risingTogether(table, slow);
    int most = Math.min(all.size(), table.options().picker().thresholds().max());
    List<SSTableReader> rising = all.subList(0, most);
    return table.disks().bytesOf(rising) >= leastBytes ? rising : List.of();
  }

  /**
   * Those of {@code inputs}, the first ones first, that one compaction can bring to fast with all
   * rows that they have on slow, whatever their heat.
   */
  static List<SSTableReader> risingTogether(TieredTable table, Iterable<SSTableReader> inputs) {
    long roomBytes = table.admission().slowRowsRoomBytes();
    if (roomBytes <= 0) {
      return List.of();
    }
    int indexParts = QuotaGuard.indexParts(table.cfs().indexManager.listIndexGroups());
    List<SSTableReader> rising = new ArrayList<>();
    long largestBytes = 0;
    for (SSTableReader input : inputs) {
      long left = roomBytes;
      long largest = largestBytes;
      if (table.disks().tierOf(input.descriptor) == Tier.SLOW) {
        // Rows are admitted by the most that they may take.
        left -= table.disks().bytesOf(input) + indexParts * input.uncompressedLength();
        largest = Math.max(largest, input.getEstimatedPartitionSize().max());
      }
      if (left / (1 + indexParts) > largest) {
        rising.add(input);
        roomBytes = left;
        largestBytes = largest;
      }
    }
    return rising;
  }

  /**
   * Whether slow SSTables have cost more reads of hot rows than rewriting them would, or all rows
   * are to come to fast.
   */
  public static boolean hasPromotionDue(TieredTable table) {
    if (!table.fast().exists() || !table.rewrites().mayBegin() || table.isCache()) {
      return false;
    }
    boolean mayRise = table.tasks().slowTasks() == SlowTierLoad.NONE;
    if (mayRise && !rising(table, table.cfs().getUncompactingSSTables()).isEmpty()) {
      return true;
    }
    TierPicker picker = new TierPicker(table.options().picker());
    return table.cfs().getLiveSSTables().stream()
            .map(s -> of(Optional.of(table), s, slow -> false))
            .anyMatch(c -> c.tier() == Tier.SLOW && picker.isToBePromoted(c))
        && fastState(table).hasRoom();
  }
}
