/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.ledger.CheckedLines;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.host.internals.Callers;
import io.kasane.host.internals.OpenSSTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSTables that validations and outgoing streams of this node write of an engine's rows.
 * Cassandra leaves them on the disk, and would read them after a restart: rows that were deleted
 * meanwhile would be back. They go when nobody reads them any more, or before their table is
 * opened.
 *
 * <p>Each stream has a mark, a commit log position that no other has, in what it writes. A file
 * that is streamed whole takes its mark along, may come home with it, and is wanted there: so a
 * left-over is what has the mark <em>and</em> lay in the table's directories before the stream
 * ended its writing, by a list on this node's disk. Thread-safe.
 *
 * <pre>
 * kasane-left-overs 1
 * TABLE MARK FILE       a line each: the table's id, the mark's segment, a data file
 * crc32 XXXXXXXX        of all bytes before it
 * </pre>
 */
public final class LeftOvers {
  private static final Logger logger = LoggerFactory.getLogger(LeftOvers.class);
  private static final String FIRST_LINE = "kasane-left-overs 1";
  private static final Callers.Method WRITING =
      new Callers.Method(ColumnFamilyStore.class, "writeAndAddMemtableRanges");

  private final CheckedLines list;
  private final Map<Mark, Written> writtenByMark = new TreeMap<>();

  /**
   * What one stream writes. Segments of the commit log count from milliseconds since 1970 on; those
   * of marks lie far below.
   */
  public record Mark(long segment) implements Comparable<Mark> {
    /** Above positions that mean nothing, such as {@link UnclaimedPosition#UNCLAIMED}. */
    private static final long MIN_MARK = 2;

    /** In milliseconds the year 2004, so below all segments; two draws are hardly ever the same. */
    private static final long BEHIND = 1L << 40;

    /** Returns one that was never there. */
    public static Mark next() {
      return new Mark(ThreadLocalRandom.current().nextLong(MIN_MARK, BEHIND));
    }

    public CommitLogPosition position() {
      return new CommitLogPosition(segment, 1);
    }

    @Override
    public int compareTo(Mark other) {
      return Long.compare(segment, other.segment);
    }
  }

  /**
   * What may have been written.
   *
   * @param by the thread that may be at it still; null if it was before this start
   * @param files data files, others of the table among them
   */
  private record Written(TableId table, Thread by, Set<Path> files) {}

  private LeftOvers(CheckedLines list) {
    this.list = list;
  }

  /**
   * Reads the list.
   *
   * @throws EngineException if it cannot be read
   */
  public static LeftOvers open(Path file) {
    LeftOvers all = new LeftOvers(new CheckedLines(file, FIRST_LINE));
    try {
      for (String line : all.list.read()) {
        String[] words = line.split(" ", 3);
        all.writtenByMark
            .computeIfAbsent(
                new Mark(Long.parseLong(words[1])),
                mark -> new Written(TableId.fromString(words[0]), null, new HashSet<>()))
            .files
            .add(Path.of(words[2]));
      }
    } catch (IOException | RuntimeException e) {
      throw new EngineException(
          Kind.CORRUPT,
          "cannot read "
              + file
              + ", which names the SSTables that repairs and streams left over: "
              + e
              + ". Restore it from a backup of this node, or delete it: then rows that were deleted"
              + " since a repair may be back until the next one",
          e);
    }
    return all;
  }

  /**
   * This thread begins to write.
   *
   * @throws UncheckedIOException if that cannot be remembered: it must not write then
   */
  public synchronized void begin(ColumnFamilyStore table, Mark mark) {
    Set<Path> files = unknownFiles(table);
    writtenByMark.put(mark, new Written(table.metadata.id, Thread.currentThread(), files));
    try {
      store();
    } catch (UncheckedIOException e) {
      writtenByMark.remove(mark);
      throw e;
    }
  }

  /** It may have begun more files, and has finished none. */
  public synchronized void goesOn(ColumnFamilyStore table, Mark mark) {
    Written written = writtenByMark.get(mark);
    if (written != null && written.files.addAll(unknownFiles(table))) {
      store();
    }
  }

  /** Data files that the table does not read. */
  private static Set<Path> unknownFiles(ColumnFamilyStore table) {
    Set<Descriptor> known = new HashSet<>();
    for (SSTableReader sstable : table.getSSTables(SSTableSet.CANONICAL)) {
      known.add(sstable.descriptor);
    }
    Set<Path> unknown = new HashSet<>();
    for (File directory : table.getDirectories().getCFDirectories()) {
      for (File file :
          directory.tryList(found -> found.name().endsWith("-" + Components.DATA.name()))) {
        if (!known.contains(Descriptor.fromFile(file))) {
          unknown.add(file.toPath());
        }
      }
    }
    return unknown;
  }

  /** Whether any may be there of a table. */
  public synchronized boolean hasSome(TableId table) {
    return writtenByMark.values().stream().anyMatch(written -> written.table.equals(table));
  }

  /** Deletes those of a table that is being opened, also those that a crash left unfinished. */
  public synchronized void sweepUnopened(ColumnFamilyStore table) {
    List<Mark> gone = new ArrayList<>();
    writtenByMark.forEach(
        (mark, written) -> {
          if (written.table.equals(table.metadata.id) && written.by == null) {
            written.files.stream()
                .filter(file -> isUnfinished(file) || isMarked(file, mark))
                .forEach(LeftOvers::delete);
            gone.add(mark);
          }
        });
    forget(gone);
  }

  /** Deletes those that nobody reads any more; to be called now and then, once all is opened. */
  public synchronized void sweep() {
    List<Mark> gone = new ArrayList<>();
    writtenByMark.forEach(
        (mark, written) -> {
          if (written.by != null && Callers.isWithin(written.by, WRITING)) {
            return;
          }
          boolean isGone = true;
          for (Path file : written.files) {
            if (isMarked(file, mark)) {
              if (OpenSSTables.mayContain(descriptor(file))) {
                isGone = false;
              } else {
                delete(file);
              }
            }
          }
          if (isGone) {
            gone.add(mark);
          }
        });
    forget(gone);
  }

  private void forget(List<Mark> gone) {
    if (!gone.isEmpty()) {
      writtenByMark.keySet().removeAll(gone);
      store();
    }
  }

  private void store() {
    List<String> lines = new ArrayList<>();
    writtenByMark.forEach(
        (mark, written) ->
            written.files.forEach(
                file -> lines.add(written.table + " " + mark.segment + " " + file)));
    try {
      list.prepare(lines);
      list.replace();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + list.file(), e);
    }
  }

  private static boolean isMarked(Path file, Mark mark) {
    Descriptor sstable = descriptor(file);
    try {
      StatsMetadata stats =
          isUnfinished(file) || !sstable.fileFor(Components.DATA).exists()
              ? null
              : (StatsMetadata)
                  sstable.getMetadataSerializer().deserialize(sstable, MetadataType.STATS);
      return stats != null && stats.commitLogIntervals.contains(mark.position());
    } catch (IOException | RuntimeException e) {
      logger.warn("{} is left alone: {}", sstable, e.toString());
      return false;
    }
  }

  /** What is being written has no statistics yet. */
  private static boolean isUnfinished(Path file) {
    return !descriptor(file).fileFor(Components.STATS).exists();
  }

  private static Descriptor descriptor(Path file) {
    return Descriptor.fromFile(new File(file));
  }

  private static void delete(Path file) {
    Descriptor sstable = descriptor(file);
    if (sstable.fileFor(Components.DATA).exists()) {
      sstable.getFormat().delete(sstable);
      logger.info("Deleted {}, left over from a validation or stream", sstable);
    }
  }
}
