/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.move;

import io.kasane.engine.sstables.LeftOvers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.streaming.StreamManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what validations and streams leave over while the node runs: each full repair leaves a
 * copy of the table. Nobody says when one is done with; when no stream and no validation runs,
 * those that are older than a minute are.
 */
final class LeftOverSweep {
  private static final Logger logger = LoggerFactory.getLogger(LeftOverSweep.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LEAST_AGE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final Map<ColumnFamilyStore, Long> sweptNanos = new ConcurrentHashMap<>();

  /** Sweeps a table, twice a minute at most. */
  void run(ColumnFamilyStore table) {
    Long last = sweptNanos.get(table);
    long now = System.nanoTime();
    if (last == null || now - last > PAUSE_NANOS) {
      sweptNanos.put(table, now);
      isSwept(table);
    }
  }

  /** Deletes those that nobody uses; returns whether there are no others. */
  boolean isSwept(ColumnFamilyStore table) {
    Set<Descriptor> tracked = new HashSet<>();
    for (SSTableReader sstable : table.getSSTables(SSTableSet.CANONICAL)) {
      tracked.add(sstable.descriptor);
    }
    boolean isIdle = isIdle();
    boolean isSwept = true;
    for (Descriptor sstable : LeftOvers.in(table.getDirectories())) {
      if (tracked.contains(sstable)) {
        continue; // found by a restart of before it was looked for, or a refresh: it is moved in
      }
      long age = System.currentTimeMillis() - sstable.fileFor(Components.DATA).lastModified();
      if (isIdle && age > LEAST_AGE_MILLIS) {
        sstable.getFormat().delete(sstable);
        logger.info("Deleted {}, left over from a validation or stream", sstable);
      } else {
        isSwept = false;
      }
    }
    return isSwept;
  }

  private static boolean isIdle() {
    return StreamManager.instance.getCurrentStreams().isEmpty()
        && CompactionManager.instance.active.getCompactions().stream()
            .noneMatch(
                running -> running.getCompactionInfo().getTaskType() == OperationType.VALIDATION);
  }
}
