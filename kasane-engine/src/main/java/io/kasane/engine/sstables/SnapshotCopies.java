/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.node.StoredTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Copies of an engine's rows that stock snapshots link. They are SSTables of the table until then,
 * and go when they are linked: the engine has the rows. After a restart they are moved in like any
 * other SSTable, which changes nothing. Thread-safe.
 */
public final class SnapshotCopies {
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int LINKED = 2;

  private final Map<Path, Long> bornNanosByFile = new ConcurrentHashMap<>();

  /**
   * Writes a copy of all rows for a snapshot that is about to be taken.
   *
   * @param ageMillis how new it counts as; empty for now
   */
  public void make(ColumnFamilyStore table, List<StoredTable> stored, OptionalLong ageMillis) {
    List<StoredTable> all = stored.stream().filter(StoredTable::mayHaveRows).toList();
    if (!all.isEmpty()) {
      make(table, all, 0, ageMillis);
    }
  }

  /** Writes a copy of all rows that indexes are built from, and returns when they are. */
  public void makeForIndexes(ColumnFamilyStore table, StoredTable stored) {
    stored.copy(
        () -> {
          for (SSTableReader copy : write(table, List.of(stored), OptionalLong.empty(), true)) {
            bornNanosByFile.put(file(copy), System.nanoTime() - LONGEST_NANOS);
          }
        });
  }

  /** No truncate may come between reading any of them and the end. */
  private void make(
      ColumnFamilyStore table, List<StoredTable> all, int held, OptionalLong ageMillis) {
    if (held < all.size()) {
      all.get(held).copy(() -> make(table, all, held + 1, ageMillis));
      return;
    }
    for (SSTableReader copy : write(table, all, ageMillis, false)) {
      bornNanosByFile.put(file(copy), System.nanoTime());
    }
  }

  private static Collection<SSTableReader> write(
      ColumnFamilyStore table, List<StoredTable> all, OptionalLong ageMillis, boolean tells) {
    long partitions = all.stream().mapToLong(s -> s.size().entries()).sum();
    return new SSTableCopy(table, ageMillis, partitions, tells).write(all, () -> false);
  }

  /** Whether an SSTable is a copy: nothing of it need be moved in. */
  public boolean isCopy(SSTableReader sstable) {
    return bornNanosByFile.containsKey(file(sstable));
  }

  /** Whether a copy was linked by a snapshot, or none came for it in an hour. */
  public boolean isDone(SSTableReader sstable) {
    Path file = file(sstable);
    Long born = bornNanosByFile.get(file);
    return born != null && (isLinked(file) || System.nanoTime() - born >= LONGEST_NANOS);
  }

  private static boolean isLinked(Path file) {
    try {
      return ((Number) Files.getAttribute(file, "unix:nlink")).intValue() >= LINKED;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Forgets those whose files are gone. */
  public void forgetGone() {
    bornNanosByFile.keySet().removeIf(Files::notExists);
  }

  private static Path file(SSTableReader sstable) {
    return sstable.descriptor.fileFor(Components.DATA).toPath();
  }
}
