/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.TimeWindows;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * When rows of a table with windows of time were last written, told by the slow SSTables that may
 * hold them: bloom filters answer, no file is read. Thread-safe.
 */
final class RowAges {
  private final ColumnFamilyStore cfs;
  private final TableDisks disks;
  private final Supplier<Optional<TimeWindows>> windows;

  RowAges(ColumnFamilyStore cfs, TableDisks disks, Supplier<Optional<TimeWindows>> windows) {
    this.cfs = cfs;
    this.disks = disks;
    this.windows = windows;
  }

  /** Whether a row was last written so long ago that it is not to lie on fast. */
  boolean isTooOldForFast(DecoratedKey key) {
    Optional<TimeWindows> cut = windows.get();
    if (cut.isEmpty() || cut.get().maxFastAgeMillis().isEmpty()) {
      return false;
    }
    long oldestMillis = cut.get().oldestOnFast(System.currentTimeMillis());
    try (ColumnFamilyStore.RefViewFragment view =
        cfs.selectAndReference(View.select(SSTableSet.LIVE, key))) {
      return view.sstables.stream()
          .filter(s -> disks.tierOf(s.descriptor) == Tier.SLOW)
          .filter(s -> cut.get().millis(s.getMaxTimestamp()) >= oldestMillis)
          .noneMatch(s -> mayHold(s, key));
    }
  }

  private static boolean mayHold(SSTableReader sstable, DecoratedKey key) {
    return sstable.getFirst().compareTo(key) <= 0
        && sstable.getLast().compareTo(key) >= 0
        && sstable.mayContainAssumingKeyIsInRange(key);
  }
}
