/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Prepares, looks for newer versions beside that, and commits. Thread-safe.
 *
 * <p>Source: Bailis et al., SIGMOD 2014, algorithm 1, PUT_ALL; the look at the markers is ours,
 * since here clocks may go apart.
 */
final class Writes {
  private static final int MAX_MOVES = 10;

  private final VersionStore store;
  private final RampOptions options;
  private final Set<Rule> rules;
  private final RampStatistics statistics;
  private final HybridLogicalClock clock;
  private final Deadlines deadlines;
  private final Collector collector;

  Writes(
      VersionStore store,
      RampOptions options,
      Set<Rule> rules,
      RampStatistics statistics,
      HybridLogicalClock clock,
      Deadlines deadlines,
      Collector collector) {
    this.store = store;
    this.options = options;
    this.rules = rules;
    this.statistics = statistics;
    this.clock = clock;
    this.deadlines = deadlines;
    this.collector = collector;
  }

  /**
   * Writes all or nothing.
   *
   * @param acknowledged told the timestamp when all later reads see the versions
   */
  CompletionStage<Timestamp> put(
      Map<ItemKey, Optional<Bytes>> writes, Siblings siblings, Consumer<Timestamp> acknowledged) {
    statistics.puts.increment();
    Put put = new Put(new TreeMap<>(writes), siblings, acknowledged);
    return new Attempt(put, put.at(clock.next()), true).run();
  }

  /** As {@link #put}, with a given timestamp, whatever is newer. */
  CompletionStage<Timestamp> putAt(
      Timestamp timestamp, Map<ItemKey, Optional<Bytes>> writes, Siblings siblings) {
    Put put = new Put(new TreeMap<>(writes), siblings, nothing -> {});
    return new Attempt(put, put.at(timestamp), false).run();
  }

  /** What is written, whatever the timestamp. */
  private record Put(
      TreeMap<ItemKey, Optional<Bytes>> writes,
      Siblings siblings,
      Consumer<Timestamp> acknowledged) {
    List<Write> at(Timestamp timestamp) {
      List<Write> at = new ArrayList<>();
      writes.forEach(
          (key, value) -> at.add(new Write(key, new Version(timestamp, siblings, value))));
      return at;
    }
  }

  private enum Phase {
    PREPARING,
    COMMITTING,
    ENDED
  }

  /** One try, from PREPARE on. */
  private final class Attempt {
    private final Put put;
    private final boolean mayMove;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.PREPARING);
    private final CompletableFuture<Timestamp> result = new CompletableFuture<>();
    private final Deadlines.Expiry expiry;
    private volatile List<Write> versions;

    /**
     * @param mayMove whether no try before this one may have committed anything, so that the
     *     transaction may still take another timestamp
     */
    Attempt(Put put, List<Write> versions, boolean mayMove) {
      this.put = put;
      this.versions = versions;
      this.mayMove = mayMove;
      this.expiry = deadlines.start(() -> fail(deadlines.exceeded()));
    }

    CompletionStage<Timestamp> run() {
      Futures.begin(() -> prepare(1))
          .whenComplete(
              (nothing, failure) -> {
                if (failure == null) {
                  commit();
                } else {
                  fail(failure);
                }
              });
      return result;
    }

    private CompletionStage<Void> prepare(int tries) {
      List<Write> writes = versions;
      if (!rules.contains(Rule.COLLECT_ONLY_COMMITTED)) {
        collector.committed(writes);
      }
      if (!rules.contains(Rule.PREPARE_BEFORE_COMMIT)) {
        store.commit(writes).whenComplete((nothing, failure) -> {});
      }
      CompletionStage<Void> prepared = store.prepare(writes);
      if (!mayMove || !options.checkMarkers() || !rules.contains(Rule.CHECK_MARKERS)) {
        return prepared;
      }
      return prepared
          .thenCombine(
              store.readCommitted(List.copyOf(put.writes.keySet()), Strength.QUORUM),
              (nothing, answers) -> newest(answers))
          .thenCompose(newest -> moveAbove(newest, tries));
    }

    private CompletionStage<Void> moveAbove(Timestamp newest, int tries) {
      if (!newest.isAfter(timestamp())) {
        return CompletableFuture.completedFuture(null);
      }
      if (tries >= MAX_MOVES) {
        throw new ContendedException(
            "each of "
                + tries
                + " timestamps was below a newer version's by the time it was"
                + " prepared: is this machine's clock behind the others'?",
            tries);
      }
      clock.placeAbove(newest);
      expiry.check();
      statistics.reprepared.increment();
      versions = put.at(clock.next());
      return prepare(tries + 1);
    }

    private void commit() {
      if (!phase.compareAndSet(Phase.PREPARING, Phase.COMMITTING)) {
        return;
      }
      List<Write> writes = versions;
      Futures.begin(() -> store.commit(writes))
          .whenComplete(
              (nothing, failure) -> {
                if (failure != null) {
                  fail(failure);
                  return;
                }
                // Acknowledged is acknowledged, though the caller may have been told otherwise.
                if (rules.contains(Rule.COLLECT_ONLY_COMMITTED)) {
                  collector.committed(writes);
                }
                put.acknowledged.accept(timestamp());
                phase.set(Phase.ENDED);
                expiry.done();
                result.complete(timestamp());
              });
    }

    private void fail(Throwable failure) {
      Throwable cause = Futures.forUsers(failure);
      Phase before = phase.getAndSet(Phase.ENDED);
      if (before == Phase.ENDED) {
        return;
      }
      expiry.done();
      if (before == Phase.COMMITTING || !mayMove) {
        result.completeExceptionally(
            new UnknownOutcomeException(timestamp(), cause, () -> again(false)));
      } else if (cause instanceof ClockDriftException) {
        result.completeExceptionally(cause);
      } else {
        result.completeExceptionally(
            new NotCommittedException(timestamp(), cause, () -> again(true)));
      }
    }

    private CompletionStage<Timestamp> again(boolean nothingCommitted) {
      return rules.contains(Rule.RETRY_SAME_TIMESTAMP)
          ? new Attempt(put, versions, nothingCommitted).run()
          : new Attempt(put, put.at(clock.next()), true).run();
    }

    private Timestamp timestamp() {
      return versions.get(0).version().timestamp();
    }

    private Timestamp newest(List<Answer> answers) {
      List<ItemKey> keys = List.copyOf(put.writes.keySet());
      return IntStream.range(0, keys.size())
          .mapToObj(index -> known(keys.get(index), answers.get(index)))
          .reduce(Timestamp.NONE, Timestamp::max);
    }

    private Timestamp known(ItemKey key, Answer answer) {
      if (answer instanceof Answer.Miss) {
        throw UnavailableException.unknown(key);
      }
      return answer.marker();
    }
  }
}
