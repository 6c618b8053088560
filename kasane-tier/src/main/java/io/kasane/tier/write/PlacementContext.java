/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.skipindex.FastCopies;
import io.kasane.copies.skipindex.SkippableRows;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.heat.hotset.HotSet;
import io.kasane.tier.hot.TableHeat;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.quota.FastCapacity;
import io.kasane.tier.quota.FastTier;
import io.kasane.tier.stats.MoveStats;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;

/** What the writers of flushes, compactions and copies must know of a table. Thread-safe. */
public interface PlacementContext {
  ColumnFamilyStore cfs();

  TableDisks disks();

  FastTier fast();

  FastCapacity room();

  TableHeat heat();

  TierOptions options();

  MoveStats moves();

  SkippableRows skippable();

  FastCopies copies();

  /** Asks the policy anew which rows are hot; returns the answer. */
  HotSet refreshHotSet();

  /** Asks it anew but where its last answer is so young that this would cost more than it tells. */
  HotSet recentHotSet();

  /** Whether rows that became hot come to fast as copies. */
  boolean copiesRows();

  /** Whether the slow disk is to be complete. */
  boolean isCache();

  /** Whether a row was last written so long ago that it is not to lie on fast. */
  boolean isTooOldForFast(DecoratedKey key);

  /** What a flush may put on fast besides hot rows. */
  long coldRoomBytes();

  /** What may go to fast whatever its heat: more than 0 while the table is small. */
  long allRowsRoomBytes();
}
