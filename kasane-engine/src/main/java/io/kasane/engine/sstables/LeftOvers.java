/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSTables that validation and outgoing streams of this node wrote of an engine's rows.
 * Cassandra leaves them on the disk, and would read them after a restart: rows that were deleted
 * meanwhile would be back. The host's id is looked at, too: a file that is streamed whole takes its
 * mark along, and is wanted where it arrives.
 */
public final class LeftOvers {
  private static final Logger logger = LoggerFactory.getLogger(LeftOvers.class);

  private LeftOvers() {}

  /** Whether an SSTable is left over from a validation or stream of this node. */
  public static boolean isLeftOver(StatsMetadata stats) {
    UUID host = SystemKeyspace.getLocalHostId();
    return LogPositions.isLeftOver(stats) && host != null && host.equals(stats.originatingHostId);
  }

  /** Returns those of a table, whoever uses them; one that cannot be read is none. */
  public static List<Descriptor> in(Directories directories) {
    List<Descriptor> found = new ArrayList<>();
    for (Map.Entry<Descriptor, Set<Component>> entry :
        directories
            .sstableLister(Directories.OnTxnErr.IGNORE)
            .skipTemporary(true)
            .list()
            .entrySet()) {
      Descriptor sstable = entry.getKey();
      try {
        StatsMetadata stats =
            (StatsMetadata)
                sstable.getMetadataSerializer().deserialize(sstable, MetadataType.STATS);
        if (stats != null && isLeftOver(stats)) {
          found.add(sstable);
        }
      } catch (IOException | RuntimeException e) {
        logger.debug("{} is left alone: {}", sstable, e.toString());
      }
    }
    return found;
  }

  /** Deletes those of a table that nobody reads yet. */
  public static void sweep(Directories directories) {
    for (Descriptor sstable : in(directories)) {
      sstable.getFormat().delete(sstable);
      logger.info("Deleted {}, left over from a validation or stream", sstable);
    }
  }
}
