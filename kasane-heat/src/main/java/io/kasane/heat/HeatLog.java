/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import io.kasane.heat.HeatLogFormat.Damaged;
import io.kasane.heat.HeatLogFormat.FrameWriter;
import io.kasane.heat.HeatLogFormat.Totals;
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
 * Carries the heat of one tracker over a restart or a kill -9: at most what came after the last
 * {@link #save} is lost.
 *
 * <p>Two files: {@code <name>.heat} is a whole snapshot, written under another name, synced and
 * renamed; {@code <name>.heat.log} takes the keys changed since, a few bytes per key and save, each
 * save synced. When the log outgrows the snapshot (and 1 MiB) a new snapshot of the next generation
 * is written and an empty log begun. The first save of a new {@code HeatLog} always writes a
 * snapshot. {@link HeatLogFormat} draws the bytes.
 *
 * <p>Keys evicted or forgotten by the tracker stay in the log until the next snapshot; a restored
 * tracker evicts again when it is full. One tracker must be saved by one log only. Thread-safe:
 * calls exclude each other.
 */
public final class HeatLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(HeatLog.class);
  private static final long SMALL_LOG = 1 << 20;

  private final Path directory;
  private final Path snapshotFile;
  private final Path logFile;
  private final Path newFile;
  private FileChannel log; // null: the next save writes a snapshot
  private long generation;
  private boolean generationKnown;
  private long snapshotBytes;
  private int savedClears;
  private Totals savedTotals;

  /**
   * Names the files; does not touch the disk.
   *
   * @param directory where the files lie; created by the first save
   * @param name letters, digits, dot, dash and underscore
   */
  public HeatLog(Path directory, String name) {
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "name is '"
              + name
              + "', but must be of letters, digits, '.', '-' and '_':"
              + " use for example the table's id");
    }
    this.directory = directory;
    this.snapshotFile = directory.resolve(name + ".heat");
    this.logFile = directory.resolve(name + ".heat.log");
    this.newFile = directory.resolve(name + ".heat.new");
  }

  /**
   * Fills a new tracker with what was saved. Call it before the tracker records: heat recorded
   * earlier is replaced for the keys restored. Does nothing when there is no file. A file that is
   * damaged, foreign or of another version is reported in the log of the process and the tracker
   * starts empty; a damaged tail of the log costs only what it held.
   */
  public synchronized void restoreInto(HeatTracker tracker) {
    try (FileChannel file = FileChannel.open(snapshotFile, StandardOpenOption.READ)) {
      generation = HeatLogFormat.readHeader(file, HeatLogFormat.SNAPSHOT);
      generationKnown = true;
      checkWhole(file);
      file.position(HeatLogFormat.HEADER_BYTES);
      Totals totals = apply(file, tracker, null);
      totals = restoreLog(tracker, totals);
      tracker.restoreTotals(totals);
    } catch (NoSuchFileException e) {
      logger.debug("No saved heat at {}: starting empty", snapshotFile);
    } catch (Damaged e) {
      logger.warn(
          "Saved heat {} cannot be used because {}: starting with no heat, rows stay where they"
              + " are until it is learned again; the next save replaces the file",
          snapshotFile,
          e.getMessage());
    } catch (IOException e) {
      tracker.clear();
      logger.warn(
          "Saved heat {} cannot be read: starting with no heat, rows stay where they are until it"
              + " is learned again; check the disk",
          snapshotFile,
          e);
    }
  }

  private void checkWhole(FileChannel file) throws IOException, Damaged {
    ByteBuffer last = null;
    for (ByteBuffer frame = HeatLogFormat.readFrame(file, generation);
        frame != null;
        frame = HeatLogFormat.readFrame(file, generation)) {
      last = frame;
    }
    if (file.position() != file.size()) {
      throw new Damaged("it is damaged at byte " + file.position() + " of " + file.size());
    }
    if (last == null || last.remaining() != HeatLogFormat.PAYLOAD_BYTES) {
      throw new Damaged("its end is missing");
    }
  }

  private Totals apply(FileChannel file, HeatTracker tracker, Totals before) throws IOException {
    Totals totals = before;
    for (ByteBuffer frame = HeatLogFormat.readFrame(file, generation);
        frame != null;
        frame = HeatLogFormat.readFrame(file, generation)) {
      totals = HeatLogFormat.readTotals(frame);
      tracker.restoreEpoch(totals.epoch());
      while (frame.hasRemaining()) {
        tracker.restoreEntry(frame.getLong(), frame.getInt(), frame.getInt(), frame.getLong());
      }
    }
    return totals;
  }

  private Totals restoreLog(HeatTracker tracker, Totals before) throws IOException {
    try (FileChannel file = FileChannel.open(logFile, StandardOpenOption.READ)) {
      long logGeneration = HeatLogFormat.readHeader(file, HeatLogFormat.LOG);
      if (logGeneration != generation) {
        logger.debug("{} belongs to another snapshot: not used", logFile);
        return before;
      }
      Totals totals = apply(file, tracker, before);
      if (file.position() != file.size()) {
        logger.warn(
            "The last {} bytes of {} are torn or damaged and were left out: the heat of its last"
                + " periods is lost, nothing else",
            file.size() - file.position(),
            logFile);
      }
      return totals;
    } catch (NoSuchFileException e) {
      return before; // killed between the snapshot and its log
    } catch (Damaged e) {
      logger.warn("{} was left out because {}", logFile, e.getMessage());
      return before;
    }
  }

  /**
   * Makes the tracker's heat durable: the keys changed since the last save, or a whole snapshot
   * when one is due. Takes the time of its I/O, including one or two syncs; record() goes on
   * meanwhile. To be called once a period.
   *
   * @throws IOException when the disk fails; the tracker loses nothing and the next call writes a
   *     whole snapshot
   */
  public synchronized void save(HeatTracker tracker) throws IOException {
    Totals totals = tracker.totals();
    int clears = tracker.clears();
    if (log == null
        || clears != savedClears
        || log.position() > Math.max(SMALL_LOG, snapshotBytes)) {
      savedClears = clears;
      writeSnapshot(tracker, totals);
    } else if (totals.accesses() != savedTotals.accesses()
        || totals.sizeCount() != savedTotals.sizeCount()) {
      append(tracker, totals);
    }
    savedTotals = totals;
  }

  private void append(HeatTracker tracker, Totals totals) throws IOException {
    boolean done = false;
    try {
      FrameWriter writer = new FrameWriter(log, generation, totals);
      tracker.collect(writer, false);
      writer.finish();
      log.force(false);
      done = true;
    } finally {
      if (!done) {
        closeLog();
      }
    }
  }

  private void writeSnapshot(HeatTracker tracker, Totals totals) throws IOException {
    closeLog();
    OwnerOnly.createDirectories(directory);
    if (!generationKnown) {
      Files.deleteIfExists(logFile); // could be of the generation we are about to begin
      generation = 0;
      generationKnown = true;
    }
    long next = generation + 1;
    try (FileChannel file = OwnerOnly.create(newFile)) {
      HeatLogFormat.writeFully(file, HeatLogFormat.header(HeatLogFormat.SNAPSHOT, next));
      FrameWriter writer = new FrameWriter(file, next, totals);
      tracker.collect(writer, true);
      writer.finish();
      file.force(true);
      snapshotBytes = file.size();
    }
    Files.move(newFile, snapshotFile, StandardCopyOption.ATOMIC_MOVE);
    generation = next;
    FileChannel opened = OwnerOnly.create(logFile);
    boolean done = false;
    try {
      HeatLogFormat.writeFully(opened, HeatLogFormat.header(HeatLogFormat.LOG, generation));
      opened.force(true);
      syncDirectory();
      done = true;
    } finally {
      if (done) {
        log = opened;
      } else {
        opened.close();
      }
    }
  }

  private void syncDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Removes the files, as for a dropped table. A later save writes them anew. */
  public synchronized void delete() throws IOException {
    closeLog();
    Files.deleteIfExists(logFile);
    Files.deleteIfExists(newFile);
    Files.deleteIfExists(snapshotFile);
    generationKnown = false;
  }

  private void closeLog() throws IOException {
    if (log != null) {
      FileChannel closing = log;
      log = null;
      closing.close();
    }
  }

  /** Closes the files; does not save. */
  @Override
  public synchronized void close() throws IOException {
    closeLog();
  }
}
