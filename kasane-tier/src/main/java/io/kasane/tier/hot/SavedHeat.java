/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.HeatLog;
import io.kasane.heat.HeatTracker;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heat of one table on disk. A disk that fails costs heat, never service: it is logged. Not
 * thread-safe.
 */
final class SavedHeat {
  private static final Logger logger = LoggerFactory.getLogger(SavedHeat.class);

  private final String table;
  private final Path directory;
  private final HeatLog log;

  /**
   * Opens or creates what is saved.
   *
   * @param table for messages
   */
  SavedHeat(String table, Path directory, String logName) {
    this.table = table;
    this.directory = directory;
    this.log = new HeatLog(directory, logName);
  }

  void restoreInto(HeatTracker tracker) {
    log.restoreInto(tracker);
  }

  void save(HeatTracker tracker) {
    try {
      log.save(tracker);
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

  void close() {
    try {
      log.close();
    } catch (IOException e) {
      logger.warn("Could not close the heat log of {}: {}", table, e.getMessage());
    }
  }

  void delete() {
    try {
      log.delete();
    } catch (IOException e) {
      logger.warn("Could not delete the heat log of {}: {}", table, e.getMessage());
    }
  }
}
