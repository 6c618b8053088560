/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Whether an SSTable was written for hot rows, and whether it is a mere copy, told from its own
 * metadata, so that it survives restarts and backups: by its directory and by its level, a field
 * that stock Cassandra keeps in every SSTable and only leveled compaction gives a meaning. Leveled
 * compaction, should the table get it one day, moves an SSTable that does not fit its level to
 * level 0.
 *
 * <p>A copy's rows all lie in SSTables that are none, so they may be dropped, and the table stays
 * complete without the fast disk where all SSTables there are copies. What loses the mark is
 * treated as an SSTable that holds rows of its own, which is always safe.
 *
 * <p>Source: the hot flag of COMPACT (Kawanami, Kawashima, Matsuo).
 */
final class SSTableTemperature {
  static final int COLD_LEVEL = 0;
  static final int HOT_LEVEL = 1;

  /** The highest that leveled compaction knows, which its SSTables all but never reach. */
  static final int COPY_LEVEL = 8;

  private SSTableTemperature() {}

  static boolean isHot(SSTableReader sstable, Tier tier) {
    return tier == Tier.FAST || sstable.getSSTableLevel() == HOT_LEVEL;
  }

  static boolean isCopy(SSTableReader sstable, Tier tier) {
    return tier == Tier.FAST && sstable.getSSTableLevel() == COPY_LEVEL;
  }

  static int levelOf(Target target) {
    return switch (target) {
      case SLOW_HOT -> HOT_LEVEL;
      case FAST_COPY -> COPY_LEVEL;
      case FAST, SLOW_COLD -> COLD_LEVEL;
    };
  }

  /** An SSTable from another node may come without the ones that it copies. */
  static int levelOfReceived(int level) {
    return level == COPY_LEVEL ? COLD_LEVEL : level;
  }
}
