/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Clears what clients that died left, beside those that live. Whoever goes through the tables tells
 * it what he finds: first {@link #prepared} of all tables, then {@link #committed} of all. So a
 * deletion that is to be forgotten has told of the transaction that wrote it before.
 *
 * <p>Nothing is deleted before a window of garbage collection is over since it was found, and each
 * time the key is looked at again: gets that saw what was before have ended by then. Whoever stops
 * in the middle leaves more to do, and nothing else. Where something cannot be told for sure it is
 * left, and counted.
 *
 * <p>What can be done at once is done when the stages complete, which never fail; the rest follows
 * by itself, and {@link #waiting} says how much that is. Thread-safe.
 */
public final class Leftovers implements AutoCloseable {
  private static final int MAX_REMEMBERED = 100_000;
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final VersionStore store;
  private final Environment environment;
  private final HybridLogicalClock clock;
  private final Scheduler scheduler;
  private final long windowNanos;
  private final long graceNanos;
  private final long dropNanos;
  private final boolean overwrittenIsOver;

  private final LongAdder collected = new LongAdder();
  private final LongAdder purged = new LongAdder();
  private final LongAdder completed = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder young = new LongAdder();
  private final LongAdder uncertain = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> firstFailure = new AtomicReference<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Transactions that name their keys, and were judged. */
  private final Set<Timestamp> judged = new HashSet<>();

  /** Transactions that do not, and where they are prepared. */
  private final Map<Timestamp, Set<ItemKey>> unnamed = new HashMap<>();

  private final Set<ItemKey> purging = new HashSet<>();
  private boolean incomplete;

  Leftovers(
      VersionStore store,
      RampOptions options,
      Environment environment,
      HybridLogicalClock clock,
      Set<Rule> rules,
      Duration storeDelay) {
    this.store = store;
    this.environment = environment;
    this.clock = clock;
    this.scheduler = new Scheduler(environment);
    Duration grace = options.gcGrace().plus(options.maxClockDrift().multipliedBy(2));
    this.windowNanos = options.gcWindow().toNanos();
    this.graceNanos = grace.toNanos();
    this.dropNanos =
        rules.contains(Rule.DROP_AFTER_GRACE) ? grace.plus(storeDelay).toNanos() : windowNanos;
    this.overwrittenIsOver = storeDelay.plus(options.gcWindow()).compareTo(grace) <= 0;
  }

  /** A key has these prepared versions, or had them a moment ago. */
  public CompletionStage<Void> prepared(ItemKey key, Set<Timestamp> timestamps) {
    return counted(
        () ->
            look(Set.of(key), timestamps, Strength.QUORUM)
                .thenCompose(seen -> prepared(key, timestamps, seen.get(key))));
  }

  /** A key has this version committed, or had it a moment ago. */
  public CompletionStage<Void> committed(ItemKey key, Version version) {
    return counted(
        () ->
            completeUnnamed(version.timestamp())
                .thenRun(
                    () -> {
                      if (version.isDeletion() && isOlder(version.timestamp(), graceNanos)) {
                        deleted(key, version);
                      }
                    }));
  }

  /** As {@link #committed}, of a key that is to stay as it is. */
  public CompletionStage<Void> shows(Timestamp transaction) {
    return counted(() -> completeUnnamed(transaction));
  }

  /** Whether there are transactions of which only what is committed anywhere can tell. */
  public boolean seeksTransactions() {
    synchronized (unnamed) {
      return !unnamed.isEmpty();
    }
  }

  /**
   * Not all that is prepared was told. So deletions are left whose transactions may have been
   * committed in part, and name no other keys.
   */
  public void isIncomplete() {
    synchronized (unnamed) {
      incomplete = true;
    }
  }

  /** Counts what whoever goes through the tables could not do. */
  public void failed(Throwable failure) {
    failed.increment();
    firstFailure.compareAndSet(null, String.valueOf(failure.getMessage()));
  }

  /** How many deletes wait for their time, or are under way. */
  public int waiting() {
    return waiting.get();
  }

  /** What was done so far; what is left of transactions that name no keys is told at the end. */
  public LeftoverCounts counts() {
    int untold;
    synchronized (unnamed) {
      untold = unnamed.size();
    }
    return new LeftoverCounts(
        collected.sum(),
        purged.sum(),
        completed.sum(),
        dropped.sum(),
        young.sum(),
        uncertain.sum() + untold,
        failed.sum(),
        Optional.ofNullable(firstFailure.get()));
  }

  /** Gives up what waits. */
  @Override
  public void close() {
    scheduler.close();
  }

  private CompletionStage<Void> prepared(ItemKey key, Set<Timestamp> found, Candidates seen) {
    Timestamp marker = seen.committed().marker();
    Set<Timestamp> replaced = new TreeSet<>(found);
    replaced.removeIf(timestamp -> timestamp.isAfter(marker));
    CompletionStage<Void> done = DONE;
    if (!replaced.isEmpty()) {
      Write newest = new Write(key, ((Answer.Present) seen.committed()).version());
      done = settle(newest).thenRun(() -> later(() -> collect(key, marker, replaced)));
    }
    for (Version version : seen.prepared().values()) {
      if (version.timestamp().isAfter(marker)) {
        done = done.thenCompose(nothing -> orphan(key, version));
      }
    }
    return done;
  }

  /** A read at a local quorum says nothing of other data centres. */
  private CompletionStage<Void> settle(Write newest) {
    return store.isQuorum(Strength.QUORUM) ? DONE : store.commit(List.of(newest));
  }

  private CompletionStage<Void> collect(ItemKey key, Timestamp marker, Set<Timestamp> replaced) {
    return look(Set.of(key), replaced, Strength.QUORUM)
        .thenCompose(
            all -> {
              Candidates seen = all.get(key);
              // Else its own window is not over, or somebody was faster.
              if (!seen.committed().marker().equals(marker) || seen.prepared().isEmpty()) {
                return DONE;
              }
              Version newest = ((Answer.Present) seen.committed()).version();
              return store
                  .collect(new Write(key, newest))
                  .thenRun(() -> collected.add(seen.prepared().size()));
            });
  }

  /** Above all that is committed; a put that is at work is younger than a window. */
  private CompletionStage<Void> orphan(ItemKey key, Version version) {
    Timestamp transaction = version.timestamp();
    if (!isOlder(transaction, windowNanos)) {
      countOnce(transaction, young);
      return DONE;
    }
    if (version.siblings() instanceof SiblingNames names) {
      return isFirst(transaction) ? judge(transaction, names) : DONE;
    }
    synchronized (unnamed) {
      if (unnamed.size() < MAX_REMEMBERED || unnamed.containsKey(transaction)) {
        unnamed.computeIfAbsent(transaction, first -> new HashSet<>()).add(key);
      } else {
        incomplete = true;
        uncertain.increment();
      }
    }
    return DONE;
  }

  private CompletionStage<Void> judge(Timestamp transaction, SiblingNames siblings) {
    return look(siblings.names(), Set.of(transaction), Strength.ALL)
        .thenCompose(
            seen -> {
              switch (Fate.of(transaction, siblings, seen, overwrittenIsOver)) {
                case COMMITTED -> {
                  return complete(transaction, seen).thenApply(wrote -> null);
                }
                case NEVER_COMMITTED -> {
                  if (isOlder(transaction, dropNanos)) {
                    later(() -> drop(transaction, siblings));
                  } else {
                    young.increment();
                  }
                }
                case UNCERTAIN -> uncertain.increment();
              }
              return DONE;
            });
  }

  /**
   * That it shows anywhere says that all of it was prepared.
   *
   * @return a stage of whether anything was left to commit
   */
  private CompletionStage<Boolean> complete(Timestamp transaction, Map<ItemKey, Candidates> seen) {
    List<Write> missing = new ArrayList<>();
    new TreeSet<>(seen.keySet())
        .forEach(
            key -> {
              Version version = seen.get(key).prepared().get(transaction);
              if (version != null && transaction.isAfter(seen.get(key).committed().marker())) {
                missing.add(new Write(key, version));
              }
            });
    if (missing.isEmpty()) {
      return CompletableFuture.completedStage(false);
    }
    return store
        .commit(missing)
        .thenApply(
            nothing -> {
              completed.increment();
              missing.forEach(
                  write -> later(() -> collect(write.key(), transaction, Set.of(transaction))));
              return true;
            });
  }

  private CompletionStage<Void> completeUnnamed(Timestamp transaction) {
    Set<ItemKey> keys;
    synchronized (unnamed) {
      keys = unnamed.remove(transaction);
    }
    return keys == null
        ? DONE
        : look(keys, Set.of(transaction), Strength.QUORUM)
            .thenCompose(seen -> complete(transaction, seen))
            .<Void>thenApply(wrote -> null)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    synchronized (unnamed) {
                      unnamed.put(transaction, keys);
                      incomplete = true;
                    }
                  }
                });
  }

  /** Keys that it would have deleted come last: without them nothing tells that they never were. */
  private CompletionStage<Void> drop(Timestamp transaction, SiblingNames siblings) {
    return look(siblings.names(), Set.of(transaction), Strength.ALL)
        .thenCompose(
            seen -> {
              if (Fate.of(transaction, siblings, seen, overwrittenIsOver) != Fate.NEVER_COMMITTED) {
                uncertain.increment();
                return DONE;
              }
              CompletionStage<Void> done = DONE;
              for (ItemKey key : deletedLast(siblings)) {
                if (seen.get(key).prepared().containsKey(transaction)) {
                  done = done.thenCompose(nothing -> store.drop(key, transaction));
                }
              }
              return done.thenRun(dropped::increment);
            });
  }

  private static List<ItemKey> deletedLast(SiblingNames siblings) {
    return siblings.names().stream()
        .sorted(
            Comparator.comparing((ItemKey key) -> siblings.deleted().contains(key))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private void deleted(ItemKey key, Version deletion) {
    synchronized (unnamed) {
      if (incomplete && !(deletion.siblings() instanceof SiblingNames)) {
        uncertain.increment();
        return;
      }
    }
    synchronized (purging) {
      if (!purging.add(key)) {
        return;
      }
    }
    later(
        () ->
            purge(key, deletion)
                .whenComplete(
                    (nothing, failure) -> {
                      synchronized (purging) {
                        purging.remove(key);
                      }
                    }));
  }

  /**
   * Once it is forgotten nothing may tell that its transaction was committed. What was completed
   * just now is not seen by those who read before, so that takes another window.
   */
  private CompletionStage<Void> purge(ItemKey key, Version deletion) {
    Timestamp transaction = deletion.timestamp();
    Set<ItemKey> keys = new HashSet<>(deletion.siblings().names());
    keys.add(key);
    return look(keys, Set.of(transaction), Strength.QUORUM)
        .thenCompose(
            seen ->
                seen.get(key).committed().marker().equals(transaction)
                    ? complete(transaction, seen)
                        .thenCompose(
                            wrote -> {
                              if (wrote) {
                                later(() -> purge(key, deletion));
                                return DONE;
                              }
                              return store.purge(key, transaction).thenRun(purged::increment);
                            })
                    : DONE);
  }

  private CompletionStage<Map<ItemKey, Candidates>> look(
      Set<ItemKey> keys, Set<Timestamp> timestamps, Strength strength) {
    List<ItemKey> inOrder = List.copyOf(new TreeSet<>(keys));
    List<CandidateQuery> queries =
        inOrder.stream().map(key -> new CandidateQuery(key, timestamps)).toList();
    return store
        .readCandidates(queries, strength)
        .thenApply(
            answers -> {
              Map<ItemKey, Candidates> seen = new HashMap<>();
              for (int index = 0; index < inOrder.size(); index++) {
                ItemKey key = inOrder.get(index);
                if (answers.get(index).committed() instanceof Answer.Miss) {
                  throw UnavailableException.unknown(key);
                }
                seen.put(key, answers.get(index));
              }
              return seen;
            });
  }

  /** By a clock that is known to be wrong nothing is old. */
  private boolean isOlder(Timestamp timestamp, long nanos) {
    clock.requireRight();
    return environment.wallMicros() - timestamp.micros() > nanos / 1000;
  }

  private boolean isFirst(Timestamp transaction) {
    synchronized (judged) {
      return judged.size() >= MAX_REMEMBERED || judged.add(transaction);
    }
  }

  private void countOnce(Timestamp transaction, LongAdder count) {
    if (isFirst(transaction)) {
      count.increment();
    }
  }

  /** A window after now. */
  private void later(Supplier<CompletionStage<Void>> task) {
    waiting.incrementAndGet();
    scheduler.at(
        scheduler.now() + windowNanos,
        () -> counted(task).whenComplete((nothing, failure) -> waiting.decrementAndGet()));
  }

  private CompletionStage<Void> counted(Supplier<CompletionStage<Void>> work) {
    return Futures.begin(work)
        .exceptionally(
            failure -> {
              failed(Futures.cause(failure));
              return null;
            });
  }
}
