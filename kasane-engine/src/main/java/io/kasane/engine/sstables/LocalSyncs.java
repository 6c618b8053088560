/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.host.internals.Callers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.repair.LocalSyncTask;
import org.apache.cassandra.service.ActiveRepairService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A repair's streams from and to its coordinator, as far as they read from engines. Cassandra
 * begins them on a thread of the repair, and waits for ever if that fails. Thread-safe.
 */
public final class LocalSyncs {
  private static final Logger logger = LoggerFactory.getLogger(LocalSyncs.class);
  private static final Callers.Method SYNC = new Callers.Method(LocalSyncTask.class, "startSync");
  private static final Set<Thread> reading = ConcurrentHashMap.newKeySet();

  private LocalSyncs() {}

  /** The calling thread begins to read, whatever for. */
  public static void begin() {
    if (Callers.isWithin(SYNC)) {
      reading.add(Thread.currentThread());
    }
  }

  /** It has read all. */
  public static void end() {
    reading.remove(Thread.currentThread());
  }

  /** Ends the repairs of this node if one cannot go on; to be called now and then. */
  public static void look() {
    if (reading.removeIf(thread -> !Callers.isWithin(thread, SYNC))) {
      logger.error(
          "A repair could not read what a storage engine has, as said above: all repairs that this"
              + " node coordinates are ended; run them again");
      ActiveRepairService.instance().terminateSessions(); // Cassandra does not say which it was
    }
  }
}
