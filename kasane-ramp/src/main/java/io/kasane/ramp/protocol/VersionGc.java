/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Collects what was overwritten once it is older than the window, on the monotonic clock.
 * Thread-safe.
 *
 * <p>A key has one collection before it, and behind that the last of the commits since: so a key
 * that is written all the time is collected once a window, not never.
 */
final class VersionGc {
  private static final String LEFT =
      "keys were committed whose old versions stay until the keys are written again: as many wait"
          + " to be collected as maxWaitingBytes has room for; raise it, or shorten gcWindow";

  /** What a collection to come takes beside its key: measured, rounded up. */
  static final long ENTRY_BYTES = 400;

  private final VersionStore store;
  private final RampStatistics statistics;
  private final Scheduler scheduler;
  private final Purger purger;
  private final Room room;
  private final Room values;
  private final Duration window;
  private final Map<ItemKey, Planned> pending = new HashMap<>();
  private final Map<ItemKey, Planned> behind = new HashMap<>();

  VersionGc(
      VersionStore store,
      RampOptions options,
      Set<Rule> rules,
      Environment environment,
      RampStatistics statistics,
      Scheduler scheduler,
      Purger purger) {
    this.store = store;
    this.statistics = statistics;
    this.scheduler = scheduler;
    this.purger = purger;
    this.room = new Room(options.maxWaitingBytes() / 2, LEFT, environment);
    this.values = new Room(options.maxWaitingBytes() / 4, "", environment);
    this.window = rules.contains(Rule.COLLECT_AFTER_WINDOW) ? options.gcWindow() : Duration.ZERO;
  }

  /** Plans collections by versions whose commit was acknowledged just now. */
  void committed(Collection<Write> writes) {
    long committedNanos = scheduler.now();
    writes.forEach(write -> plan(write, committedNanos));
  }

  private void plan(Write write, long committedNanos) {
    ItemKey key = write.key();
    synchronized (pending) {
      Planned before = pending.get(key);
      Planned last = behind.getOrDefault(key, before);
      if (last != null && !write.version().timestamp().isAfter(last.timestamp)) {
        return;
      }
      Planned replaced = behind.get(key);
      if (replaced == null && !room.take(bytesOf(key))) {
        statistics.collectionsDropped.increment();
        room.refuse();
        return;
      }
      int versions = 1 + (replaced == null ? 0 : replaced.versions);
      Planned planned = hold(write, versions, committedNanos);
      statistics.versionsKept.increment();
      if (before != null) {
        releaseValue(behind.put(key, planned));
        return;
      }
      pending.put(key, planned);
    }
    schedule(key, committedNanos + window.toNanos());
  }

  private void schedule(ItemKey key, long dueNanos) {
    scheduler.at(dueNanos, () -> collect(key));
  }

  private CompletionStage<Void> collect(ItemKey key) {
    Planned planned;
    Planned later;
    synchronized (pending) {
      planned = pending.get(key);
      later = deletedSince(key);
      if (later != null) {
        behind.remove(key);
        release(key, planned);
        pending.put(key, later.also(planned.versions));
      }
    }
    if (later != null) {
      schedule(key, later.committedNanos + window.toNanos());
      return CompletableFuture.completedFuture(null);
    }
    return body(key, planned)
        .thenCompose(
            body ->
                body.isEmpty()
                    ? CompletableFuture.<Void>completedFuture(null)
                    : store.collect(new Write(key, body.get())))
        .whenComplete((nothing, failure) -> collected(key, planned, failure == null));
  }

  /** An item's older version, written again, is one more row for who reads the collection. */
  private Planned deletedSince(ItemKey key) {
    Planned last = behind.get(key);
    return last != null && last.isDeletion && key.item().length() > 0 ? last : null;
  }

  /** Empty where somebody else has collected it. */
  private CompletionStage<Optional<Version>> body(ItemKey key, Planned planned) {
    if (planned.held.isPresent()) {
      return CompletableFuture.completedFuture(planned.held);
    }
    CandidateQuery query = new CandidateQuery(key, Set.of(planned.timestamp));
    return store
        .readCandidates(List.of(query), Strength.QUORUM)
        .thenApply(
            answers -> {
              Candidates answer = answers.get(0);
              if (answer.committed() instanceof Answer.Present present
                  && present.version().timestamp().equals(planned.timestamp)) {
                return Optional.of(present.version());
              }
              return Optional.ofNullable(answer.prepared().get(planned.timestamp));
            });
  }

  private void collected(ItemKey key, Planned planned, boolean done) {
    (done ? statistics.collected : statistics.collectionsFailed).increment();
    statistics.versionsKept.add(done ? -planned.versions : 0);
    Planned next;
    long dueNanos;
    synchronized (pending) {
      next = behind.remove(key);
      if (next != null) {
        dueNanos = next.committedNanos + window.toNanos();
        release(key, planned);
        pending.put(key, done ? next : next.also(planned.versions));
      } else if (!done) {
        next = planned;
        dueNanos = scheduler.now() + Math.max(window.toNanos(), Duration.ofSeconds(1).toNanos());
      } else {
        release(key, planned);
        pending.remove(key);
        dueNanos = 0;
      }
    }
    if (next != null) {
      schedule(key, dueNanos);
    } else if (planned.isDeletion) {
      purger.plan(key, planned.timestamp, planned.committedNanos);
    }
  }

  private static long bytesOf(ItemKey key) {
    return ENTRY_BYTES + key.partition().length() + key.item().length();
  }

  /** Values for which there is no room are read again when their time has come. */
  private Planned hold(Write write, int versions, long committedNanos) {
    Version version = write.version();
    return new Planned(
        version.timestamp(),
        values.take(bytesOf(version)) ? Optional.of(version) : Optional.empty(),
        version.isDeletion(),
        versions,
        committedNanos);
  }

  private static long bytesOf(Version version) {
    return (long) version.value().map(Bytes::length).orElse(0)
        + VersionCodec.siblingBytes(version.siblings());
  }

  private void release(ItemKey key, Planned planned) {
    room.give(bytesOf(key));
    releaseValue(planned);
  }

  private void releaseValue(Planned planned) {
    if (planned != null) {
      planned.held.ifPresent(version -> values.give(bytesOf(version)));
    }
  }

  /**
   * A collection to be.
   *
   * @param versions how many of this client's versions it deletes
   */
  private record Planned(
      Timestamp timestamp,
      Optional<Version> held,
      boolean isDeletion,
      int versions,
      long committedNanos) {
    Planned also(int more) {
      return new Planned(timestamp, held, isDeletion, versions + more, committedNanos);
    }
  }
}
