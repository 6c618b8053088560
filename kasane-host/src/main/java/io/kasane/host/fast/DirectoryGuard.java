/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories.DataDirectory;
import org.apache.cassandra.db.DisallowedDirectories;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Cassandra's own writers (flush, compaction, streaming, import, of any table) off the fast
 * directories, while files there stay listed, readable and deletable.
 *
 * <p>Cassandra asks two questions before it writes: which data directories are writable (answered
 * per data directory) and, where no token boundaries are known, which of a table's own directories
 * is (answered per table directory). Both must say no, so the guard marks the data directories at
 * start and each table's directory as soon as it can be known: on the table's first write, on its
 * creation, and by a sweep for what neither tells (indexes, streaming into a new table).
 */
public final class DirectoryGuard {
  private static final Logger logger = LoggerFactory.getLogger(DirectoryGuard.class);
  private static final long SWEEP_SECONDS = 1;

  private final FastDirectories fast;
  private final Set<TableId> written = ConcurrentHashMap.newKeySet();

  public DirectoryGuard(FastDirectories fast) {
    this.fast = fast;
  }

  public void start() {
    if (fast.isEmpty()) {
      return;
    }
    logger.info("Kasane alone writes to {}", fast);
    for (DataDirectory directory : fast.all()) {
      UnwritableDirectories.mark(directory.location);
    }
    Schema.instance.registerListener(
        new SchemaChangeListener() {
          @Override
          public void onCreateTable(TableMetadata table) {
            protect(table.id);
          }

          @Override
          public void onAlterTable(TableMetadata before, TableMetadata after, boolean affects) {
            protect(after.id);
          }

          @Override
          public void onDropTable(TableMetadata table, boolean dropData) {
            written.remove(table.id);
          }
        });
    var unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  public void onWrite(TableId table) {
    if (!fast.isEmpty() && !written.contains(table) && protect(table)) {
      written.add(table);
    }
  }

  /** Marks the fast directories of {@code cfs}; cheap when they are marked already. */
  public void protect(ColumnFamilyStore cfs) {
    for (DataDirectory directory : fast.all()) {
      File location = cfs.getDirectories().getLocationForDisk(directory);
      if (location != null && !DisallowedDirectories.isUnwritable(location)) {
        UnwritableDirectories.mark(location);
      }
    }
  }

  private boolean protect(TableId table) {
    ColumnFamilyStore cfs = Schema.instance.getColumnFamilyStoreInstance(table);
    if (cfs == null) {
      return false;
    }
    cfs.concatWithIndexes().forEach(this::protect);
    return true;
  }

  private void sweep() {
    for (String name : Schema.instance.getKeyspaces()) {
      // Not Keyspace.all(): while the node starts it would open what Cassandra has not opened yet.
      Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
      if (keyspace == null) {
        continue;
      }
      for (ColumnFamilyStore cfs : keyspace.getColumnFamilyStores()) {
        cfs.concatWithIndexes().forEach(this::protect);
      }
    }
  }
}
