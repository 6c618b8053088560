/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.file;

import io.kasane.heat.file.HeatFileFormat.Damaged;
import io.kasane.heat.file.HeatFileFormat.Frame;
import io.kasane.heat.key.HeatKey;
import io.kasane.heat.table.HeatBuckets;
import io.kasane.heat.table.HeatEntry;
import io.kasane.heat.table.HeatTable;
import io.kasane.heat.track.HeatTotals;
import io.kasane.heat.track.HeatTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the heat of one tracker over a restart or a kill -9.
 *
 * <p>{@code <name>.heat} has all keys, 9 bytes each. Each save writes some more of the next one, at
 * most {@value #SAVE_BYTES} bytes, in the order of the keys; when all are there it is synced and
 * takes the place of the last one. So up to a million keys are saved each time, and of more keys
 * all in a while: what a kill costs is the heat since then. Where nothing was accessed nothing is
 * written.
 *
 * <p>One tracker must be saved by one file only. Thread-safe.
 */
public final class HeatFile implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(HeatFile.class);

  /** Most bytes that a save writes, but for its last frame. */
  static final long SAVE_BYTES = 8 << 20;

  private static final long FRAME_GOAL_BYTES = 1 << 18;

  private final Path directory;
  private final Path file;
  private final Path newFile;
  private volatile boolean isClosed;
  private volatile boolean isRestoring;
  private FileChannel writing; // null: the next save begins a new file
  private long writtenTo; // key
  private int savedClears;
  private HeatTotals saved;

  /**
   * Names the files; does not touch the disk.
   *
   * @param directory where the files lie; created by the first save
   * @param name letters, digits, dot, dash and underscore
   */
  public HeatFile(Path directory, String name) {
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "name is '"
              + name
              + "', but must be of letters, digits, '.', '-' and '_':"
              + " use for example the table's id");
    }
    this.directory = directory;
    this.file = directory.resolve(name + ".heat");
    this.newFile = directory.resolve(name + ".heat.new");
  }

  // ---- restore

  /** Bytes of what was saved; 0 if there is nothing. */
  public long savedBytes() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0; // restoring says what is wrong
    }
  }

  /**
   * Before a thread is started that restores: from now on nothing is saved, and nothing is cold.
   */
  public void beginRestore(HeatTracker tracker) {
    isRestoring = true;
    tracker.restores(true);
  }

  /**
   * Fills a new tracker with what was saved; nothing is saved meanwhile. Does nothing when there is
   * no file. A file that is foreign or of another version, or that lacks its end, is reported in
   * the log of the process and the tracker starts empty; a damaged frame costs the keys from there
   * on. The tracker may record meanwhile: of what was saved and what was recorded the hotter stays.
   */
  public void restoreInto(HeatTracker tracker) {
    beginRestore(tracker);
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      long keys = HeatFileFormat.readHeader(from);
      int clears = tracker.clears();
      tracker.restoreTotals(readEnd(from), clears);
      tracker.table().reserve(keys);
      from.position(HeatFileFormat.HEADER_BYTES);
      if (restore(from, tracker, clears)) {
        tracker.unlessCleared(clears, tracker::restored);
      }
    } catch (NoSuchFileException e) {
      logger.debug("No saved heat at {}: starting empty", file);
    } catch (Damaged e) {
      logger.warn(
          "Saved heat {} cannot be used because {}: starting with no heat, rows stay where they"
              + " are until it is learned again; the next save replaces the file",
          file,
          e.getMessage());
    } catch (IOException e) {
      logger.warn(
          "Saved heat {} cannot be read: starting with no heat, rows stay where they are until it"
              + " is learned again; check the disk",
          file,
          e);
    } finally {
      tracker.restores(false);
      isRestoring = false;
    }
  }

  private static HeatTotals readEnd(FileChannel from) throws IOException, Damaged {
    long at = from.size() - HeatFileFormat.END_BYTES;
    if (at >= HeatFileFormat.HEADER_BYTES) {
      ByteBuffer end = HeatFileFormat.readFrame(from.position(at));
      if (end != null && end.remaining() == HeatFileFormat.PAYLOAD_BYTES) {
        return HeatFileFormat.readTotals(end);
      }
    }
    throw new Damaged("its end is missing");
  }

  /** Returns whether all keys are there. */
  private boolean restore(FileChannel from, HeatTracker tracker, int clears) throws IOException {
    while (!isClosed) {
      long at = from.position();
      ByteBuffer frame = HeatFileFormat.readFrame(from);
      if (frame == null) {
        logger.warn(
            "{} is damaged at byte {} of {}: the heat of the keys from there on is lost, nothing"
                + " else",
            file,
            at,
            from.size());
        return false;
      }
      HeatTotals totals = HeatFileFormat.readTotals(frame);
      if (!frame.hasRemaining()) {
        return true;
      }
      long time = HeatBuckets.time(totals.halvings(), totals.period());
      if (!tracker.unlessCleared(clears, () -> restore(frame, tracker.table(), time))) {
        return false;
      }
    }
    return false;
  }

  private static void restore(ByteBuffer frame, HeatTable table, long time) {
    while (frame.hasRemaining()) {
      long upper = (frame.get() & 0xFFL) << HeatEntry.KEY_BITS;
      long entry = frame.getLong();
      table.restore(upper | HeatEntry.key(entry), entry, time);
    }
  }

  // ---- save

  /**
   * Makes heat durable, or some more of it; see above. Takes the time of its I/O; record() goes on
   * meanwhile. To be called once a period.
   *
   * @throws IOException when the disk fails; the tracker loses nothing and the next call begins
   *     anew
   */
  public void save(HeatTracker tracker) throws IOException {
    save(tracker, SAVE_BYTES);
  }

  /** Makes all heat durable as it is now, as before an end. */
  public synchronized void saveAll(HeatTracker tracker) throws IOException {
    if (!isRestoring) {
      stopWriting(); // some of it is older
      save(tracker, Long.MAX_VALUE);
    }
  }

  private synchronized void save(HeatTracker tracker, long mostBytes) throws IOException {
    if (isRestoring) {
      return; // what is not restored yet would be lost
    }
    boolean isDone = false;
    try {
      forgetIfCleared(tracker);
      if (writing != null || hasChanged(tracker)) {
        write(tracker, mostBytes);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        stopWriting();
      }
    }
  }

  private void forgetIfCleared(HeatTracker tracker) throws IOException {
    if (tracker.clears() != savedClears) {
      savedClears = tracker.clears();
      stopWriting();
      Files.deleteIfExists(file);
      saved = null;
    }
  }

  private boolean hasChanged(HeatTracker tracker) {
    HeatTotals now = tracker.totals();
    if (saved == null) {
      return now.accesses() > 0;
    }
    return now.accesses() != saved.accesses()
        || now.halvings() != saved.halvings()
        || now.sizeSum() != saved.sizeSum();
  }

  private void write(HeatTracker tracker, long mostBytes) throws IOException {
    long keys = tracker.trackedKeys();
    if (writing == null) {
      OwnerOnly.createDirectories(directory);
      writing = OwnerOnly.create(newFile);
      writtenTo = 0;
      HeatFileFormat.writeFully(writing, HeatFileFormat.header(keys));
    }
    long frames = 1 + keys * HeatFileFormat.ENTRY_BYTES / FRAME_GOAL_BYTES;
    Frame frame = new Frame();
    long written = 0;
    while (writtenTo < HeatKey.END && written < mostBytes) {
      long to = Math.min(HeatKey.END, writtenTo + HeatKey.END / frames + 1);
      written += write(tracker, to, frame);
    }
    if (writtenTo < HeatKey.END) {
      writing.force(false); // or all would be written at once in the end
      return;
    }
    saved = tracker.totals();
    frame.writeTo(writing, saved);
    writing.force(true);
    Files.move(newFile, file, StandardCopyOption.ATOMIC_MOVE);
    stopWriting();
    syncDirectory();
  }

  /** A frame has entries of one time: if heat is halved meanwhile, they are gathered again. */
  private int write(HeatTracker tracker, long to, Frame frame) throws IOException {
    HeatTotals totals;
    long end;
    do {
      frame.clear();
      totals = tracker.totals();
      end =
          tracker
              .table()
              .forEach(
                  writtenTo,
                  to,
                  1,
                  (key, entry) -> {
                    frame.add(key, entry);
                    return entry;
                  });
    } while (!tracker.totals().isOfTheTimeOf(totals));
    writtenTo = end;
    return frame.isEmpty() ? 0 : frame.writeTo(writing, totals);
  }

  private void syncDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Removes the files, as for a dropped table. A later save writes them anew. */
  public synchronized void delete() throws IOException {
    stopWriting();
    Files.deleteIfExists(newFile);
    Files.deleteIfExists(file);
    saved = null;
  }

  private void stopWriting() throws IOException {
    if (writing != null) {
      FileChannel closing = writing;
      writing = null;
      closing.close();
    }
  }

  /** Closes the files; does not save. */
  @Override
  public void close() throws IOException {
    isClosed = true; // ends a restore
    synchronized (this) {
      stopWriting();
    }
  }
}
