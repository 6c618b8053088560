/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.kasane.host.fast.FastDirectories;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** Where a table's SSTables lie, and how much there. Thread-safe. */
public final class TableDisks {
  private static final long DEFAULT_ROW_BYTES = 1024; // until there is an SSTable

  private final ColumnFamilyStore cfs;
  private final FastDirectories fast;

  /** Cassandra asks the file system for each file of an SSTable, each time. */
  private final Cache<Descriptor, Long> bytes =
      Caffeine.newBuilder().expireAfterWrite(Duration.ofMinutes(1)).build();

  public TableDisks(ColumnFamilyStore cfs, FastDirectories fast) {
    this.cfs = cfs;
    this.fast = fast;
  }

  public Tier tierOf(Descriptor sstable) {
    return fast.all().contains(cfs.getDirectories().getDataDirectoryForFile(sstable))
        ? Tier.FAST
        : Tier.SLOW;
  }

  /** What all files of an SSTable take; as it was up to a minute ago. */
  public long bytesOf(SSTableReader sstable) {
    return sstable.openReason == SSTableReader.OpenReason.EARLY // is being written
        ? sstable.bytesOnDisk()
        : bytes.get(sstable.descriptor, descriptor -> sstable.bytesOnDisk());
  }

  public long bytesOf(Collection<SSTableReader> sstables) {
    return sstables.stream().mapToLong(this::bytesOf).sum();
  }

  /** What live SSTables take on a tier. */
  public long liveBytes(Tier tier) {
    return cfs.getLiveSSTables().stream()
        .filter(s -> tierOf(s.descriptor) == tier)
        .mapToLong(this::bytesOf)
        .sum();
  }

  public long slowRoomBytes() {
    return cfs.getDirectories().getWriteableLocations()[0].getAvailableSpace();
  }

  public Optional<SSTableReader> largest() {
    return cfs.getLiveSSTables().stream().max(Comparator.comparingLong(this::bytesOf));
  }

  /** The mean row of the largest SSTable: small ones may hold mere updates of rows. */
  public long rowBytes() {
    return largest()
        .map(s -> Math.max(1, bytesOf(s) / Math.max(1, s.estimatedKeys())))
        .orElse(DEFAULT_ROW_BYTES);
  }
}
