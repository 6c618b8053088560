/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories.DataDirectory;

/**
 * Whether a disk has room for a copy of an engine's rows: a copy that fills it would take the room
 * of all other tables, and be begun again.
 */
public final class FreeSpaceCheck {
  /** One part in so many of a disk is left to others. */
  private static final int MARGIN = 20;

  private FreeSpaceCheck() {}

  /**
   * Checks that all rows would fit, at the size that they have in the engines.
   *
   * @throws EngineException if they would not
   */
  public static void require(ColumnFamilyStore table, List<StoredTable> stored) {
    require(table, bytes(stored));
  }

  /**
   * Checks that so many partitions would fit, if they are as large as others.
   *
   * @throws EngineException if they would not
   */
  public static void require(ColumnFamilyStore table, List<StoredTable> stored, long partitions) {
    require(table, bytes(stored, partitions));
  }

  /** Whether so many partitions would fit. */
  public static boolean isThere(
      ColumnFamilyStore table, List<StoredTable> stored, long partitions) {
    return bytes(stored, partitions) <= free(table);
  }

  private static long bytes(List<StoredTable> stored) {
    return stored.stream().mapToLong(each -> each.size().bytes()).sum();
  }

  private static long bytes(List<StoredTable> stored, long partitions) {
    long all = stored.stream().mapToLong(StoredTable::estimatedPartitions).sum();
    return (long) (bytes(stored) * ((double) partitions / Math.max(partitions, all)));
  }

  private static long free(ColumnFamilyStore table) {
    long free = 0;
    for (DataDirectory directory : table.getDirectories().getWriteableLocations()) {
      long margin = directory.location.toJavaIOFile().getTotalSpace() / MARGIN;
      free = Math.max(free, directory.getAvailableSpace() - margin);
    }
    return free;
  }

  private static void require(ColumnFamilyStore table, long bytes) {
    long free = free(table);
    if (bytes > free) {
      throw new EngineException(
          Kind.FULL,
          "a copy of "
              + table.metadata()
              + " in SSTables may take "
              + bytes
              + " bytes, and the data directories have room for "
              + free
              + " beside a margin of 1/"
              + MARGIN
              + ": make room, then it is tried again");
    }
  }
}
