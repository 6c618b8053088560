/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Prepares, looks for newer versions beside that, and commits. Thread-safe.
 *
 * <p>A put that finds something newer moves above it once, and commits. That is enough: all that
 * was acknowledged before the put began is at or below what it found. Who looked again would lose
 * to whoever writes faster, again and again.
 *
 * <p>Source: Bailis et al., SIGMOD 2014, algorithm 1, PUT_ALL; the look at the markers is ours,
 * since here clocks may go apart.
 */
final class Writes {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);
  private static final CompletionStage<Timestamp> NO_FLOOR =
      CompletableFuture.completedStage(Timestamp.NONE);

  private final VersionStore store;
  private final RampOptions options;
  private final Set<Rule> rules;
  private final RampStatistics statistics;
  private final Environment environment;
  private final HybridLogicalClock clock;
  private final Deadlines deadlines;
  private final VersionGc versionGc;

  Writes(
      VersionStore store,
      RampOptions options,
      Set<Rule> rules,
      RampStatistics statistics,
      Environment environment,
      HybridLogicalClock clock,
      Deadlines deadlines,
      VersionGc versionGc) {
    this.store = store;
    this.options = options;
    this.rules = rules;
    this.statistics = statistics;
    this.environment = environment;
    this.clock = clock;
    this.deadlines = deadlines;
    this.versionGc = versionGc;
  }

  /**
   * Writes all or nothing.
   *
   * @param floor what the put must be above, asked when it begins
   * @param acknowledged told the timestamp when all later reads see the versions
   */
  PendingPut put(
      Map<ItemKey, Optional<Bytes>> writes,
      Siblings siblings,
      Supplier<CompletionStage<Timestamp>> floor,
      Consumer<Timestamp> acknowledged) {
    statistics.puts.increment();
    return begin(new PendingPut(this, writes, siblings, floor, clock.next(), true, acknowledged));
  }

  /** As {@link #put}, with a given timestamp, whatever is newer. */
  PendingPut putAt(Timestamp timestamp, Map<ItemKey, Optional<Bytes>> writes, Siblings siblings) {
    return begin(
        new PendingPut(this, writes, siblings, () -> NO_FLOOR, timestamp, false, nothing -> {}));
  }

  private static PendingPut begin(PendingPut put) {
    put.run();
    return put;
  }

  /** Tries a put, once, until its deadline. */
  void attempt(PendingPut put, CompletableFuture<Timestamp> result) {
    if (isLate(put)) {
      if (!put.mayMove()) {
        result.completeExceptionally(late(put));
        return;
      }
      put.restart(clock.next(), now());
    }
    boolean afresh = !rules.contains(Rule.RETRY_SAME_TIMESTAMP) && !put.mayMove();
    new Attempt(put, afresh ? put.at(clock.next()) : put.versions(), result).run();
  }

  /** Nanoseconds on the monotonic clock. */
  long now() {
    return environment.monotonicNanos();
  }

  /**
   * Whether others may take it for one that nobody commits any more: by either of the clocks, since
   * the one stands still in a machine that is suspended, and the other one may be set back.
   */
  private boolean isLate(PendingPut put) {
    if (!rules.contains(Rule.COMMIT_WITHIN_GRACE)) {
      return false;
    }
    long wallNanos = (environment.wallMicros() - put.timestamp().micros()) * 1000;
    return Math.max(wallNanos, now() - put.begunNanos()) > options.gcGrace().toNanos();
  }

  private RampException late(PendingPut put) {
    return new RampException(
        "transaction "
            + put.timestamp()
            + " is not tried again: it was begun more than gcGrace ("
            + options.gcGrace()
            + ") ago, and what was left of it may have been cleared. Read its keys to see whether"
            + " it was committed");
  }

  private enum Phase {
    PREPARING,
    COMMITTING,
    ENDED
  }

  /** One try, from PREPARE on. */
  private final class Attempt {
    private final PendingPut put;
    private final boolean mayMove;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.PREPARING);
    private final CompletableFuture<Timestamp> result;
    private final Deadlines.Expiry expiry;

    /** Its own: a try that ended may still go on for a while beside the next one. */
    private volatile List<Write> versions;

    Attempt(PendingPut put, List<Write> versions, CompletableFuture<Timestamp> result) {
      this.put = put;
      this.versions = versions;
      this.mayMove = put.mayMove();
      this.result = result;
      this.expiry = deadlines.start(() -> fail(deadlines.exceeded()));
    }

    void run() {
      Futures.begin(() -> place().thenCompose(nothing -> prepare()))
          .whenComplete(
              (nothing, failure) -> {
                if (failure == null) {
                  commit();
                } else {
                  fail(failure);
                }
              });
    }

    private CompletionStage<Void> place() {
      if (!mayMove) {
        return DONE;
      }
      clock.requireRight();
      return put.floor().thenAccept(this::moveAbove);
    }

    private void moveAbove(Timestamp seen) {
      if (seen.isAfter(timestamp())) {
        clock.placeAbove(seen);
        versions = put.at(clock.next());
      }
    }

    private CompletionStage<Void> prepare() {
      List<Write> writes = versions;
      if (!rules.contains(Rule.COLLECT_ONLY_COMMITTED)) {
        versionGc.committed(writes);
      }
      if (!rules.contains(Rule.PREPARE_BEFORE_COMMIT)) {
        store.commit(writes).whenComplete((nothing, failure) -> {});
      }
      CompletionStage<Void> prepared = store.prepare(writes);
      if (!mayMove || !options.checkMarkers() || !rules.contains(Rule.CHECK_MARKERS)) {
        return prepared;
      }
      List<ItemKey> keys = List.copyOf(put.keys());
      return prepared
          .thenCombine(store.newestCommitted(keys, Strength.QUORUM), (nothing, newest) -> newest)
          .thenCompose(this::prepareAbove);
    }

    private CompletionStage<Void> prepareAbove(Timestamp newest) {
      if (!newest.isAfter(timestamp())) {
        return DONE;
      }
      expiry.check();
      moveAbove(newest);
      statistics.reprepared.increment();
      return store.prepare(versions);
    }

    private void commit() {
      if (isLate(put)) {
        fail(late(put));
        return;
      }
      List<Write> writes = versions;
      Timestamp timestamp = timestamp();
      // Together, so that a try that begins at the deadline knows what this one commits.
      synchronized (put) {
        if (!phase.compareAndSet(Phase.PREPARING, Phase.COMMITTING)) {
          return;
        }
        put.commits(writes);
      }
      Futures.begin(() -> store.commit(writes))
          .whenComplete(
              (nothing, failure) -> {
                if (failure != null) {
                  fail(failure);
                  return;
                }
                // Acknowledged is acknowledged, though the caller may have been told otherwise.
                if (rules.contains(Rule.COLLECT_ONLY_COMMITTED)) {
                  versionGc.committed(writes);
                }
                put.acknowledged(timestamp);
                phase.set(Phase.ENDED);
                expiry.done();
                result.complete(timestamp);
              });
    }

    private void fail(Throwable failure) {
      Throwable cause = Futures.forUsers(failure);
      Phase before;
      synchronized (put) {
        before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.PREPARING) {
          put.tried(versions);
        }
      }
      if (before == Phase.ENDED) {
        return;
      }
      expiry.done();
      if (before == Phase.COMMITTING || !mayMove) {
        result.completeExceptionally(new UnknownOutcomeException(put, cause));
      } else if (cause instanceof ClockDriftException) {
        result.completeExceptionally(cause);
      } else {
        result.completeExceptionally(new NotCommittedException(put, cause));
      }
    }

    private Timestamp timestamp() {
      return versions.get(0).version().timestamp();
    }
  }
}
