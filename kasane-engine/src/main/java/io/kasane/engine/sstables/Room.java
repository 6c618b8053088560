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
public final class Room {
  /** One part in so many of a disk is left to others. */
  private static final int MARGIN = 20;

  private Room() {}

  /**
   * Checks that all rows would fit, at the size that they have in the engines.
   *
   * @throws EngineException if they would not
   */
  public static void require(ColumnFamilyStore table, List<StoredTable> stored) {
    long bytes = stored.stream().mapToLong(each -> each.size().bytes()).sum();
    long free = 0;
    for (DataDirectory directory : table.getDirectories().getWriteableLocations()) {
      long margin = directory.location.toJavaIOFile().getTotalSpace() / MARGIN;
      free = Math.max(free, directory.getAvailableSpace() - margin);
    }
    if (bytes > free) {
      throw new EngineException(
          Kind.FULL,
          "a copy of "
              + table.metadata()
              + " in SSTables may take "
              + bytes
              + " bytes, and the data directories have room for "
              + Math.max(0, free)
              + " beside a margin of 1/"
              + MARGIN
              + ": make room, then it is tried again");
    }
  }
}
