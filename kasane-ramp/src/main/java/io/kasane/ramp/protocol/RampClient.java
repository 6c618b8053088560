/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Read atomic gets and puts: who sees one write of a transaction sees all of them, or what replaced
 * them. Nobody waits for anybody else. Thread-safe; one for each process and store.
 *
 * <p>All methods return at once, and what they return goes on in the thread that the store answers
 * in: do not block there. Stages fail with a {@link RampException}.
 *
 * <p>Source: Bailis et al., Scalable Atomic Visibility with RAMP Transactions, SIGMOD 2014.
 */
public final class RampClient implements AutoCloseable {
  private final VersionStore store;
  private final RampOptions options;
  private final Environment environment;
  private final Set<Rule> rules;
  private final RampStatistics statistics = new RampStatistics();
  private final HybridLogicalClock clock;
  private final Deadlines deadlines;
  private final Scheduler scheduler;
  private final Sessions sessions;
  private final Gets gets;
  private final Writes writes;
  private final Transactions transactions;
  private final Healer healer;
  private final Seeder seeder;

  /** A client of a store, which stays the caller's to close. */
  public RampClient(VersionStore store, RampOptions options, Environment environment) {
    this(store, options, environment, EnumSet.allOf(Rule.class));
  }

  /** For tests of what happens without a rule. */
  RampClient(
      VersionStore store, RampOptions options, Environment environment, Set<Rule> rulesKept) {
    this.rules = Set.copyOf(rulesKept);
    this.store = store;
    this.environment = environment;
    this.options = options;
    this.clock =
        new HybridLogicalClock(
            environment, options.maxClockDrift(), rules.contains(Rule.MERGE_CLOCK));
    this.deadlines = new Deadlines(environment, options.deadline());
    this.scheduler = new Scheduler(environment);
    Purger purger = new Purger(store, options, environment, statistics, scheduler);
    VersionGc versionGc =
        new VersionGc(store, options, rules, environment, statistics, scheduler, purger);
    Completions completions = new Completions(store, statistics, versionGc);
    Sweeper sweeper = new Sweeper(store, options, statistics, scheduler);
    Reads reads = new Reads(store, options, environment, rules, statistics, completions, sweeper);
    this.sessions = new Sessions(store, reads, deadlines, statistics, rules);
    this.gets = new Gets(reads, sessions, clock, purger);
    this.writes =
        new Writes(store, options, rules, statistics, environment, clock, deadlines, versionGc);
    this.transactions = new Transactions(gets, options, statistics);
    this.healer = new Healer(store, options, clock, writes);
    this.seeder = new Seeder(store, options, clock);
  }

  /** A session that saw nothing yet. */
  public Session newSession() {
    return new Session(new Floors(options.maxFloors()));
  }

  /**
   * A session that saw what another one had seen when it gave the token. What the token says is
   * asked of reads of this session, and moves no clock.
   */
  public Session newSession(SessionToken token) {
    Floors floors = new Floors(options.maxFloors());
    if (token.overflowed()) {
      floors.overflow();
    }
    token.floors().forEach(floors::claim);
    return new Session(floors);
  }

  /**
   * Reads keys and collections at once.
   *
   * @return a stage that fails with {@link ContendedException}, {@link LostVersionException} or
   *     {@link UnavailableException}
   */
  public CompletionStage<ReadResult> get(ReadSet wanted, Session session) {
    return inTime(expiry -> gets.get(new Gathered(), wanted, session, expiry));
  }

  /**
   * Writes keys at once.
   *
   * @param writes values by key; an empty one deletes the key
   * @return a stage of the transaction's timestamp that fails with {@link NotCommittedException},
   *     {@link UnknownOutcomeException}, {@link ClockDriftException} or {@link
   *     InvalidTransactionException}
   */
  public CompletionStage<Timestamp> put(Map<ItemKey, Optional<Bytes>> writes, Session session) {
    return Futures.begin(() -> beginPut(writes, session).outcome());
  }

  /**
   * As {@link #put}, for whoever wants to have hold of the put while it runs.
   *
   * @throws InvalidTransactionException if it is over a limit
   */
  public PendingPut beginPut(Map<ItemKey, Optional<Bytes>> writes, Session session) {
    Map<ItemKey, Optional<Bytes>> copy = new TreeMap<>(writes);
    Set<ItemKey> keys = Set.copyOf(copy.keySet());
    return this.writes.put(
        copy,
        Limits.check(copy, options),
        () -> floorOf(keys, session),
        timestamp -> sessions.wrote(session, copy, timestamp));
  }

  /** What a token alone says is read first: a put is not placed above what never was. */
  private CompletionStage<Timestamp> floorOf(Set<ItemKey> keys, Session session) {
    Set<ItemKey> claimed = session.floors().claimedOf(keys);
    return claimed.isEmpty()
        ? CompletableFuture.completedFuture(session.floors().highestOf(keys))
        : get(ReadSet.of(claimed), session).thenApply(seen -> session.floors().highestOf(keys));
  }

  /**
   * Runs a function whose gets are read atomic together, again where it must be, all within one
   * deadline.
   *
   * @param body does nothing that may not happen twice
   * @return a stage of what the function gives, that fails as {@link #get} does, or as the function
   */
  public <T> CompletionStage<T> readTransaction(
      Function<ReadTransaction, CompletionStage<T>> body, Session session) {
    return inTime(expiry -> transactions.run(body, session, expiry));
  }

  /**
   * Makes what is left of a transaction that lost versions a transaction of its own, unless it was
   * overwritten. Needs all replicas.
   *
   * @return a stage of its timestamp; of the lost one's where nothing is left
   */
  public CompletionStage<Timestamp> heal(LostVersionException lost) {
    return inTime(expiry -> healer.heal(lost));
  }

  /**
   * Writes values that were read elsewhere, each by itself and below all transactions: whatever a
   * transaction wrote to a key, a deletion too, before or after, stays. May be repeated.
   *
   * @param order of two seeds of one key with different values, the one of the higher order stays:
   *     the microseconds since 1970 at which the value was read, say; not negative
   * @return a stage of the keys that were written, which are those that had nothing, or an older
   *     seed of another value. It fails with {@link InvalidTransactionException}, {@link
   *     ClockDriftException} or {@link UnavailableException}; some of the values may be there then
   */
  public CompletionStage<Set<ItemKey>> seed(Map<ItemKey, Bytes> values, long order) {
    Map<ItemKey, Bytes> copy = new TreeMap<>(values);
    return inTime(expiry -> seeder.seed(copy, order, expiry));
  }

  /**
   * Those of the keys of which nothing is committed: no value, and no deletion that is still
   * remembered.
   *
   * @return a stage that fails with {@link UnavailableException}
   */
  public CompletionStage<Set<ItemKey>> missing(Set<ItemKey> keys) {
    Set<ItemKey> copy = Set.copyOf(keys);
    return inTime(expiry -> seeder.missing(copy));
  }

  /**
   * Clears what clients that died left; see {@link Leftovers}.
   *
   * @param storeDelay how long after it was sent a write may still come to a replica
   */
  public Leftovers leftovers(Duration storeDelay) {
    return new Leftovers(store, options, environment, clock, rules, storeDelay);
  }

  /**
   * Tells how far this machine's wall clock is ahead of the cluster's, negative for behind. Beyond
   * half of {@link RampOptions#maxClockDrift} puts fail with {@link ClockDriftException} until it
   * is told otherwise.
   */
  public void clockIsAhead(Duration ahead) {
    clock.isAhead(ahead);
  }

  /** Throws {@link ClockDriftException} where puts would. */
  public void requireRightClock() {
    clock.requireRight();
  }

  /** What it was made with. */
  public RampOptions options() {
    return options;
  }

  /** What was done so far. */
  public RampStatistics statistics() {
    return statistics;
  }

  /** Collects no more; gets and puts go on to their ends. */
  @Override
  public void close() {
    scheduler.close();
  }

  private <T> CompletionStage<T> inTime(Function<Deadlines.Expiry, CompletionStage<T>> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Deadlines.Expiry expiry =
        deadlines.start(() -> result.completeExceptionally(deadlines.exceeded()));
    Futures.begin(() -> work.apply(expiry))
        .whenComplete(
            (value, failure) -> {
              expiry.done();
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(Futures.forUsers(failure));
              }
            });
    return result;
  }
}
