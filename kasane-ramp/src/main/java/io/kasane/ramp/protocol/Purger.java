/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Forgets deleted keys at the end of their grace: those that this process deleted, and those that
 * it happens to read, since a process rarely lives so long. Thread-safe.
 *
 * <p>Readers judge the grace by their own clocks. So it lasts two drifts longer here: one for the
 * clock that gave the timestamp, one for the reader's.
 */
final class Purger {
  private static final String LEFT =
      "deleted keys stay until they are read after their grace: as many wait to be forgotten as"
          + " maxWaitingBytes has room for; raise it";

  private final VersionStore store;
  private final Environment environment;
  private final RampStatistics statistics;
  private final Scheduler scheduler;
  private final Room room;
  private final long graceNanos;
  private final long windowNanos;
  private final Set<ItemKey> planned = new HashSet<>();

  Purger(
      VersionStore store,
      RampOptions options,
      Environment environment,
      RampStatistics statistics,
      Scheduler scheduler) {
    this.store = store;
    this.environment = environment;
    this.statistics = statistics;
    this.scheduler = scheduler;
    this.room = new Room(options.maxWaitingBytes() / 4, LEFT, environment);
    this.graceNanos = options.gcGrace().plus(options.maxClockDrift().multipliedBy(2)).toNanos();
    this.windowNanos = options.gcWindow().toNanos();
  }

  /** Plans to forget what was deleted at that time of the scheduler. */
  void plan(ItemKey key, Timestamp deletion, long committedNanos) {
    synchronized (planned) {
      if (planned.contains(key)) {
        return;
      }
      if (!room.take(bytesOf(key))) {
        statistics.purgesDropped.increment();
        room.refuse();
        return;
      }
      planned.add(key);
    }
    scheduler.at(committedNanos + graceNanos, () -> purge(key, deletion));
  }

  /**
   * Plans to forget the key if this is a deletion whose grace is over. A dead client's deletion may
   * have been completed just now, so gets that saw what was before end first.
   */
  void seen(ItemKey key, Version version) {
    if (version.isDeletion()) {
      long ageMicros = environment.wallMicros() - version.timestamp().micros();
      if (ageMicros > graceNanos / 1000) {
        plan(key, version.timestamp(), scheduler.now() + windowNanos - graceNanos);
      }
    }
  }

  private static long bytesOf(ItemKey key) {
    return VersionGc.ENTRY_BYTES + key.partition().length() + key.item().length();
  }

  /** Looks first: a version of the same microsecond could fall with the deletion. */
  private CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return store
        .readCommitted(List.of(key), Strength.QUORUM)
        .thenCompose(
            answers -> {
              if (!answers.get(0).marker().equals(deletion)) {
                return CompletableFuture.<Void>completedFuture(null);
              }
              return store
                  .purge(key, deletion)
                  .thenAccept(nothing -> statistics.purged.increment());
            })
        .whenComplete(
            (nothing, failure) -> {
              synchronized (planned) {
                planned.remove(key);
                room.give(bytesOf(key));
              }
            });
  }
}
