/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.health.Watched;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Copies of an engine's rows that stock snapshots link, or indexes are built from. They are
 * SSTables of the table until then, and go afterwards: the engine has the rows. After a restart
 * they are moved in like any other SSTable, which changes nothing. Thread-safe.
 */
public final class SnapshotCopies {
  /** A snapshot links its files at once: what has no link in an hour was given up. */
  private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Its own name and one in a snapshot. */
  private static final int LINKED = 2;

  private final Map<Path, Copy> copies = new ConcurrentHashMap<>();

  private enum Use {
    SNAPSHOT,
    INDEXING,
    NONE
  }

  private record Copy(Use use, long bornNanos) {
    static Copy of(Use use) {
      return new Copy(use, System.nanoTime());
    }
  }

  /**
   * Writes a copy of all rows for a snapshot that is about to be taken. No truncate comes between.
   *
   * @param patience how long nothing may be written
   * @throws EngineException if there is no copy, and none comes later
   */
  public void make(ColumnFamilyStore table, List<StoredTable> stored, Duration patience) {
    make(table, withRows(stored), 0, patience);
  }

  private static List<StoredTable> withRows(List<StoredTable> stored) {
    return stored.stream().filter(StoredTable::mayHaveRows).toList();
  }

  /** Writes a copy of all rows that indexes are built from, and returns when they are. */
  public void makeForIndexes(ColumnFamilyStore table, StoredTable stored) {
    stored.copy(
        () ->
            new EngineExport(table, written -> index(table, written))
                .write(List.of(stored), () -> false));
  }

  private void index(ColumnFamilyStore table, Collection<SSTableReader> written) {
    remember(written, Use.INDEXING);
    try {
      EngineExport.addAndIndex(table, written);
    } finally {
      remember(written, Use.NONE);
    }
  }

  /** Who waits holds all, and lets them go if the engine hangs. */
  private void make(ColumnFamilyStore table, List<StoredTable> all, int held, Duration patience) {
    if (held < all.size()) {
      all.get(held).copy(() -> make(table, all, held + 1, patience));
      return;
    }
    if (all.isEmpty()) {
      return;
    }
    EngineExport copy =
        new EngineExport(
            table,
            written -> {
              remember(written, Use.SNAPSHOT);
              EngineExport.add(table, written);
            });
    Watched.run(
        all.get(0).engine().threads(),
        "a copy for a snapshot",
        patience,
        watched -> copy.write(all, watched::isCancelled, watched::mayFinish));
  }

  /** Before the table has them: who finds them there may move them in at once. */
  private void remember(Collection<SSTableReader> written, Use use) {
    written.forEach(sstable -> copies.put(file(sstable), Copy.of(use)));
  }

  /** Whether an SSTable is a copy: nothing of it need be moved in. */
  public boolean isCopy(SSTableReader sstable) {
    return copies.containsKey(file(sstable));
  }

  /**
   * Whether a copy has done what it is for: indexes are built, or a snapshot linked it, or none
   * came for it in an hour.
   */
  public boolean isDone(SSTableReader sstable) {
    Path file = file(sstable);
    Copy copy = copies.get(file);
    return copy != null
        && switch (copy.use) {
          case SNAPSHOT -> isLinked(file) || System.nanoTime() - copy.bornNanos >= MAX_NANOS;
          case INDEXING -> false;
          case NONE -> true;
        };
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
    copies.keySet().removeIf(Files::notExists);
  }

  private static Path file(SSTableReader sstable) {
    return sstable.descriptor.fileFor(Components.DATA).toPath();
  }
}
