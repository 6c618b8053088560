/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import io.kasane.arena.ArenaReader;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store whose first rounds may be answered from arenas, and key by key by the store beneath
 * wherever there is any doubt. All else is the store's beneath. Thread-safe.
 */
public abstract class FirstRounds implements TableStore, AutoCloseable {
  /**
   * One hit in so many is read at a quorum besides: replicas are repaired by reads, and the node
   * knows by it which keys are read.
   */
  private static final int REPEATED = 400;

  /** Beside those that wait for an answer: a node that is slow must not be asked ever more. */
  private static final int MAX_REPEATING = 16;

  private final TableStore beneath;
  private final Function<String, CompletionStage<UUID>> tableIds;
  private final ArenaMetrics metrics = new ArenaMetrics();
  private final AtomicInteger repeating = new AtomicInteger();

  /**
   * A store over another one.
   *
   * @param tableIds tells which table of a name there is now
   */
  FirstRounds(TableStore beneath, Function<String, CompletionStage<UUID>> tableIds) {
    this.beneath = beneath;
    this.tableIds = tableIds;
  }

  /** Returns what it has done. */
  public ArenaMetrics metrics() {
    return metrics;
  }

  /** Reads no arena any more. */
  @Override
  public abstract void close();

  /** A table is about to be read. */
  abstract void watch(String table, UUID id);

  /**
   * Reads what arenas have.
   *
   * @return of each key its version, or null where there is any doubt
   */
  abstract CompletionStage<Answer[]> shown(List<ItemKey> keys);

  /** Items of collections are in no arena. */
  final boolean isInArenas(ItemKey key) {
    if (key.item().length() > 0) {
      metrics.items.increment();
      return false;
    }
    return true;
  }

  /** Counts a key that was not found, by the reason. */
  final LongAdder causeOf(ArenaReader.Outcome outcome) {
    return switch (outcome) {
      case HIT, MISS -> metrics.misses;
      case TORN -> metrics.torn;
      case SILENT -> metrics.silent;
    };
  }

  /** Returns the version that an arena had; nothing if it is none. */
  static Optional<Version> decoded(ArenaReader.Answer hit) {
    try {
      return Optional.of(VersionCodec.decode(hit.body()));
    } catch (CorruptVersionException e) {
      return Optional.empty();
    }
  }

  /** Counts a hit, and repeats some. */
  final Answer hit(ItemKey key, Version version) {
    metrics.hits.increment();
    if (ThreadLocalRandom.current().nextInt(REPEATED) == 0) {
      repeat(key);
    }
    return new Answer.Present(version);
  }

  /** Nobody waits for it, and nobody is told if it fails. */
  private void repeat(ItemKey key) {
    if (repeating.incrementAndGet() > MAX_REPEATING) {
      repeating.decrementAndGet();
      return;
    }
    metrics.repeated.increment();
    CompletionStage<List<Answer>> unused =
        beneath
            .readCommitted(List.of(key), Strength.QUORUM)
            .whenComplete((answers, failure) -> repeating.decrementAndGet());
  }

  /** What one replica shows may be old, and may go back. */
  @Override
  public final boolean isQuorum(Strength strength) {
    return strength != Strength.FIRST_ROUND && beneath.isQuorum(strength);
  }

  @Override
  public final CompletionStage<Void> open(String table) {
    return beneath
        .open(table)
        .thenCompose(opened -> tableIds.apply(table))
        .thenAccept(id -> watch(table, id));
  }

  @Override
  public final CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    return strength == Strength.FIRST_ROUND
        ? shown(keys).thenCompose(answers -> completed(keys, answers))
        : beneath.readCommitted(keys, strength);
  }

  private CompletionStage<List<Answer>> completed(List<ItemKey> keys, Answer[] answers) {
    List<ItemKey> doubtful = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      if (answers[i] == null) {
        doubtful.add(keys.get(i));
      }
    }
    if (doubtful.isEmpty()) {
      return CompletableFuture.completedStage(Arrays.asList(answers));
    }
    return beneath
        .readCommitted(doubtful, Strength.FIRST_ROUND)
        .thenApply(
            read -> {
              int next = 0;
              for (int i = 0; i < answers.length; i++) {
                if (answers[i] == null) {
                  answers[i] = read.get(next++);
                }
              }
              return Arrays.asList(answers);
            });
  }

  // ---- as beneath

  @Override
  public final Stream<Bytes> partitions(String table) {
    return beneath.partitions(table);
  }

  @Override
  public final CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, Strength strength) {
    return beneath.newestCommitted(keys, strength);
  }

  @Override
  public final CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    return beneath.readCandidates(queries, strength);
  }

  @Override
  public final CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return beneath.readItems(wanted, strength);
  }

  @Override
  public final CompletionStage<Void> prepare(Collection<Write> writes) {
    return beneath.prepare(writes);
  }

  @Override
  public final CompletionStage<Void> commit(Collection<Write> writes) {
    return beneath.commit(writes);
  }

  @Override
  public final CompletionStage<Void> collect(Write committed) {
    return beneath.collect(committed);
  }

  @Override
  public final CompletionStage<Void> openSweep(String table, Bytes partition) {
    return beneath.openSweep(table, partition);
  }

  @Override
  public final CompletionStage<Void> sweep(String table, Bytes partition) {
    return beneath.sweep(table, partition);
  }

  @Override
  public final CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return beneath.purge(key, deletion);
  }

  @Override
  public final CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return beneath.drop(key, prepared);
  }
}
