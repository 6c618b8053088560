/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Copies of an engine's rows that stock snapshots link, or indexes are built from. They are
 * SSTables of the table until then, and go afterwards: the engine has the rows. After a restart
 * they are moved in like any other SSTable, which changes nothing. Thread-safe.
 */
public final class SnapshotCopies {
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
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

  /** Writes a copy of all rows for a snapshot that is about to be taken. */
  public void make(ColumnFamilyStore table, List<StoredTable> stored) {
    make(table, withRows(stored), 0, () -> false);
  }

  /**
   * The same, on a thread that may hang.
   *
   * @param patience how long nothing may be written
   * @throws EngineException if there is no copy
   */
  public void makeInTime(ColumnFamilyStore table, List<StoredTable> stored, Duration patience) {
    List<StoredTable> all = withRows(stored);
    if (!all.isEmpty()) {
      Watched.run(
          all.get(0).engine().threads(),
          "a copy for a snapshot",
          patience,
          progress -> make(table, all, 0, progress));
    }
  }

  private static List<StoredTable> withRows(List<StoredTable> stored) {
    return stored.stream().filter(StoredTable::mayHaveRows).toList();
  }

  /** Writes a copy of all rows that indexes are built from, and returns when they are. */
  public void makeForIndexes(ColumnFamilyStore table, StoredTable stored) {
    stored.copy(() -> write(table, List.of(stored), written -> index(table, written), () -> false));
  }

  private void index(ColumnFamilyStore table, Collection<SSTableReader> written) {
    remember(written, Use.INDEXING);
    try {
      SSTableCopy.addAndIndex(table, written);
    } finally {
      remember(written, Use.NONE);
    }
  }

  /** No truncate may come between reading any of them and the end. */
  private void make(
      ColumnFamilyStore table, List<StoredTable> all, int held, BooleanSupplier isCancelled) {
    if (held < all.size()) {
      all.get(held).copy(() -> make(table, all, held + 1, isCancelled));
      return;
    }
    if (all.isEmpty()) {
      return;
    }
    Consumer<Collection<SSTableReader>> add =
        written -> {
          remember(written, Use.SNAPSHOT);
          SSTableCopy.add(table, written);
        };
    write(table, all, add, isCancelled);
  }

  private static void write(
      ColumnFamilyStore table,
      List<StoredTable> all,
      Consumer<Collection<SSTableReader>> add,
      BooleanSupplier isCancelled) {
    new SSTableCopy(table, add).write(all, isCancelled);
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
          case SNAPSHOT -> isLinked(file) || System.nanoTime() - copy.bornNanos >= LONGEST_NANOS;
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
