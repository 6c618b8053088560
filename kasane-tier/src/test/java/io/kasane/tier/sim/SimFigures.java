/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.Pick;
import java.util.EnumMap;
import java.util.Map;

/** What happened since the last look: of the table on its own clock, of the classes on ours. */
final class SimFigures {
  private final Map<Tier, Long> writtenBytes = new EnumMap<>(Tier.class);
  private final Map<Pick.Kind, Long> compactionsByKind = new EnumMap<>(Pick.Kind.class);
  private long compactions;
  private double longestSeconds;
  private double reads;
  private double readsFromFast;
  private long refusedFlushes;
  private long promotedSSTables;
  private double promotedRows;
  private long picks;
  private long pickNanos;
  private long longestPickNanos;
  private long looks;
  private long lookNanos;
  private long longestLookNanos;
  private int mostSSTables;

  void wrote(Tier tier, long bytes) {
    writtenBytes.merge(tier, bytes, Long::sum);
  }

  void compacted(double tookSeconds, Pick.Kind kind) {
    compactions++;
    compactionsByKind.merge(kind, 1L, Long::sum);
    longestSeconds = Math.max(longestSeconds, tookSeconds);
  }

  void read(double all, double fromFast) {
    reads += all;
    readsFromFast += fromFast;
  }

  void refused() {
    refusedFlushes++;
  }

  void promoted(int sstables, double rows) {
    promotedSSTables += sstables;
    promotedRows += rows;
  }

  double promotedRows() {
    return promotedRows;
  }

  void picked(long nanos, int sstables) {
    picks++;
    pickNanos += nanos;
    longestPickNanos = Math.max(longestPickNanos, nanos);
    mostSSTables = Math.max(mostSSTables, sstables);
  }

  void looked(long nanos) {
    looks++;
    lookNanos += nanos;
    longestLookNanos = Math.max(longestLookNanos, nanos);
  }

  long compactions() {
    return compactions;
  }

  double fastShare() {
    return readsFromFast / reads;
  }

  long writtenBytes(Tier tier) {
    return writtenBytes.getOrDefault(tier, 0L);
  }

  double longestHours() {
    return longestSeconds / 3600;
  }

  long refusedFlushes() {
    return refusedFlushes;
  }

  long promotedSSTables() {
    return promotedSSTables;
  }

  int mostSSTables() {
    return mostSSTables;
  }

  double pickMillis() {
    return pickNanos / 1e6 / Math.max(1, picks);
  }

  double longestPickMillis() {
    return longestPickNanos / 1e6;
  }

  double lookMillis() {
    return lookNanos / 1e6 / Math.max(1, looks);
  }

  double longestLookMillis() {
    return longestLookNanos / 1e6;
  }

  Map<Pick.Kind, Long> compactionsByKind() {
    return compactionsByKind;
  }

  /** Begins anew, but for the most SSTables. */
  void clear() {
    writtenBytes.clear();
    compactionsByKind.clear();
    compactions = 0;
    longestSeconds = 0;
    reads = 0;
    readsFromFast = 0;
    refusedFlushes = 0;
    promotedSSTables = 0;
    promotedRows = 0;
    picks = 0;
    pickNanos = 0;
    longestPickNanos = 0;
    looks = 0;
    lookNanos = 0;
    longestLookNanos = 0;
    mostSSTables = 0;
  }
}
