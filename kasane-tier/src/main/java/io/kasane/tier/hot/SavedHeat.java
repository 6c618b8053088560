/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.file.HeatFile;
import io.kasane.heat.track.HeatTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heat of one table on disk. A disk that fails costs heat, never service: it is logged. Not
 * thread-safe.
 */
final class SavedHeat {
  private static final Logger logger = LoggerFactory.getLogger(SavedHeat.class);

  /** What a disk reads in a fraction of a second: a node may wait that long for a table. */
  private static final long MAX_BYTES_AT_ONCE = 16 << 20;

  private final String table;
  private final Path directory;
  private final HeatFile file;

  /**
   * Opens or creates what is saved.
   *
   * @param table for messages
   */
  SavedHeat(String table, Path directory, String logName) {
    this.table = table;
    this.directory = directory;
    this.file = new HeatFile(directory, logName);
  }

  /** A large file is read while the table serves already. */
  void restoreInto(HeatTracker tracker) {
    if (file.savedBytes() <= MAX_BYTES_AT_ONCE) {
      file.restoreInto(tracker);
      return;
    }
    file.beginRestore(tracker);
    Thread thread = new Thread(() -> restoreAndSay(tracker), "KasaneRestoreHeat");
    thread.setDaemon(true);
    thread.start();
  }

  private void restoreAndSay(HeatTracker tracker) {
    long began = System.nanoTime();
    file.restoreInto(tracker);
    logger.info(
        "Restored the heat of {} rows of {} in {} ms",
        tracker.trackedKeys(),
        table,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  void save(HeatTracker tracker) {
    save(() -> file.save(tracker));
  }

  private interface Save {
    void run() throws IOException;
  }

  private void save(Save save) {
    try {
      save.run();
    } catch (IOException e) {
      logger.warn(
          "Could not save the heat of {} in {}: {}. Placement goes on from memory; after a restart"
              + " heat would start from the last save. Free space there or set heat_directory in"
              + " kasane.yaml.",
          table,
          directory,
          e.getMessage());
    }
  }

  /** Saves all there is, however long it takes. */
  void saveAll(HeatTracker tracker) {
    save(() -> file.saveAll(tracker));
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      logger.warn("Could not close the heat file of {}: {}", table, e.getMessage());
    }
  }

  void delete() {
    try {
      file.delete();
    } catch (IOException e) {
      logger.warn("Could not delete the heat file of {}: {}", table, e.getMessage());
    }
  }
}
