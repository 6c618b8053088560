/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import io.kasane.copies.sstables.Tier;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Whether an SSTable was written for hot rows, told from its own metadata, so that it survives
 * restarts and backups: by its directory and by its level, a field that stock Cassandra keeps in
 * every SSTable and only leveled compaction gives a meaning. Leveled compaction, should the table
 * get it one day, moves an SSTable that does not fit its level to level 0.
 *
 * <p>Source: the hot flag of COMPACT (Kawanami, Kawashima, Matsuo).
 */
public final class SSTableTemperature {
  static final int COLD_LEVEL = 0; // as stock writes it
  static final int HOT_LEVEL = 1; // any but 0: it is part of the format

  private SSTableTemperature() {}

  public static boolean isHot(SSTableReader sstable, Tier tier) {
    return tier == Tier.FAST || sstable.getSSTableLevel() == HOT_LEVEL;
  }

  public static int levelOf(SlowTarget target) {
    return target == SlowTarget.SLOW_HOT ? HOT_LEVEL : COLD_LEVEL;
  }
}
