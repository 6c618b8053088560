/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Runs read transactions, again where later gets made earlier ones too old. Each run begins with
 * one get of all that the runs before it wanted: what the function asks for anew cannot be too old
 * for that, however often it is written, and only what it never asked for before may be.
 * Thread-safe.
 */
final class Transactions {
  private final Gets gets;
  private final RampOptions options;
  private final RampStatistics statistics;

  Transactions(Gets gets, RampOptions options, RampStatistics statistics) {
    this.gets = gets;
    this.options = options;
    this.statistics = statistics;
  }

  <T> CompletionStage<T> run(
      Function<ReadTransaction, CompletionStage<T>> body,
      Session session,
      Deadlines.Expiry expiry) {
    return run(body, session, expiry, ReadSet.of(Set.of()), 1);
  }

  private <T> CompletionStage<T> run(
      Function<ReadTransaction, CompletionStage<T>> body,
      Session session,
      Deadlines.Expiry expiry,
      ReadSet expected,
      int runs) {
    Run run = new Run(session, expiry, expected);
    return Futures.begin(() -> body.apply(run))
        .handle((value, failure) -> new Outcome<>(value, failure))
        .thenCompose(
            outcome -> {
              if (!run.tooOld) {
                return outcome.failure == null
                    ? CompletableFuture.completedFuture(outcome.value)
                    : CompletableFuture.failedFuture(outcome.failure);
              }
              expiry.check();
              if (runs >= options.maxRounds()) {
                throw new ContendedException(
                    "what a read transaction saw was overwritten before its end, "
                        + runs
                        + " times in a row (maxRounds)",
                    runs);
              }
              statistics.restarts.increment();
              return run(body, session, expiry, run.wanted(), runs + 1);
            });
  }

  /** How the function ended. */
  private record Outcome<T>(T value, Throwable failure) {}

  /** One run of the function: its gets go one after the other, whoever calls them. */
  private final class Run implements ReadTransaction {
    private final Session session;
    private final Deadlines.Expiry expiry;
    private final Gathered gathered = new Gathered();
    private final Covered returned = new Covered();
    private ReadSet expected;
    private CompletionStage<?> last = CompletableFuture.completedFuture(null);
    private volatile boolean tooOld;

    /**
     * @param expected what earlier runs wanted
     */
    Run(Session session, Deadlines.Expiry expiry, ReadSet expected) {
      this.session = session;
      this.expiry = expiry;
      this.expected = expected;
    }

    /** A get that failed fails those after it: what it wanted was not seen. */
    @Override
    public synchronized CompletionStage<ReadResult> get(ReadSet wanted) {
      CompletionStage<ReadResult> next = last.thenCompose(before -> see(wanted));
      last = next;
      return next;
    }

    /** What all runs so far wanted. */
    synchronized ReadSet wanted() {
      return expected;
    }

    private synchronized CompletionStage<ReadResult> see(ReadSet wanted) {
      Map<ItemKey, Version> before = gathered.seen();
      expected = expected.and(wanted);
      return gets.get(gathered, gathered.missingOf(expected), session, expiry)
          .thenApply(
              result -> {
                Map<ItemKey, Version> after = gathered.seen();
                Set<ItemKey> all = new HashSet<>(before.keySet());
                all.addAll(after.keySet());
                for (ItemKey key : all) {
                  if (returned.has(key) && !Objects.equals(before.get(key), after.get(key))) {
                    tooOld = true;
                    throw new RampException("another version of " + key + " is needed by now");
                  }
                }
                ReadResult seen =
                    new ReadResult(after, gathered.nexts(), result.rounds()).only(wanted);
                returned.add(wanted.keys());
                wanted.ranges().forEach(range -> returned.add(seen.read(range)));
                return seen;
              });
    }
  }
}
