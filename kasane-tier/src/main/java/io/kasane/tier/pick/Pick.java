/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * SSTables to compact together.
 *
 * @param kind why
 * @param tables at least one
 */
public record Pick<T>(Kind kind, List<T> tables) {

  public Pick {
    tables = List.copyOf(tables);
  }

  /** The kinds of bucket; the first three are TIER section 3's. */
  public enum Kind {
    /** Slow SSTables only: rows that became hot after they were written move up. */
    SLOW_ONLY,
    /** Fast SSTables only: duplicates merge and cooled rows move down, so that room comes back. */
    FAST_ONLY,
    /** SSTables of like size wherever they lie. */
    ANY,
    /** Slow SSTables that reads have looked into for more than merging them costs. */
    PAID_FOR,
    /** Slow SSTables whose hot rows cost more slow reads than rewriting them would. */
    PROMOTE,
    /** Hot rows that are copied to fast; no slow SSTable is rewritten. */
    COPY,
    /** Fast SSTables whose rows the slow disk is to have too. */
    COMPLETE,
    /** A fast SSTable alone, to move its cooled rows down where room is short. */
    EVICT,
    /** Fast SSTables with many droppable tombstones, and all SSTables that keep them there. */
    PURGE,
    /** Slow SSTables of which everything has expired: they go, and nothing is read. */
    EXPIRED,
    /** Fast SSTables that are written anew without what has expired, or is too old for fast. */
    RENEW,
    /** One SSTable with many droppable tombstones. */
    TOMBSTONES,
    /** Asked for by an operator: major or user-defined compaction, upgrade, relocation. */
    REQUESTED;

    /** Those that read and write the slow disk for long. */
    private static final Set<Kind> SLOW = EnumSet.of(SLOW_ONLY, PAID_FOR, PROMOTE, COMPLETE, PURGE);

    /** Whether it is chosen for what lies on slow. */
    boolean isSlow() {
      return SLOW.contains(this);
    }

    /** Whether it keeps a compactor for as long as slow SSTables may take. */
    boolean takesSlot() {
      return isSlow() || this == REQUESTED;
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
