/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import io.kasane.arena.ArenaKey;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store whose first rounds are answered from the arenas of nodes on this host, as those nodes
 * alone would answer them, and key by key by the store beneath wherever there is any doubt. All
 * else is the store's beneath. Thread-safe.
 */
public final class ArenaStore implements TableStore, AutoCloseable {
  /**
   * One hit in so many is read at a quorum besides: replicas are repaired by reads, and the node
   * knows by it which keys are read.
   */
  private static final int REPEATED = 400;

  /** Beside those that wait for an answer: a node that is slow must not be asked ever more. */
  private static final int MAX_REPEATING = 16;

  private final TableStore beneath;
  private final Function<String, CompletionStage<UUID>> tableIds;
  private final List<ArenaFolder> folders;
  private final int needed;
  private final ArenaMetrics metrics = new ArenaMetrics();
  private final AtomicInteger repeating = new AtomicInteger();

  /**
   * A store over another one.
   *
   * @param tableIds tells which table of a name there is now
   * @param directories where nodes of this host have their arenas, of each its own
   * @param needed how many arenas must have a key, from 1 to all: the newest version is taken
   */
  public ArenaStore(
      TableStore beneath,
      Function<String, CompletionStage<UUID>> tableIds,
      List<Path> directories,
      int needed,
      String keyspace) {
    if (needed < 1 || needed > directories.size()) {
      throw new IllegalArgumentException(
          "arenas: "
              + needed
              + " of "
              + directories.size()
              + " directories must have a key; name from 1 to all of them");
    }
    this.beneath = beneath;
    this.tableIds = tableIds;
    this.needed = needed;
    this.folders =
        directories.stream().map(directory -> new ArenaFolder(directory, keyspace)).toList();
  }

  /** Returns what it has done. */
  public ArenaMetrics metrics() {
    return metrics;
  }

  /** What one replica shows may be old, and may go back. */
  @Override
  public boolean isQuorum(Strength strength) {
    return strength != Strength.FIRST_ROUND && beneath.isQuorum(strength);
  }

  @Override
  public CompletionStage<Void> open(String table) {
    return beneath
        .open(table)
        .thenCompose(opened -> tableIds.apply(table))
        .thenAccept(id -> folders.forEach(folder -> folder.watch(table, id)));
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    if (strength != Strength.FIRST_ROUND) {
      return beneath.readCommitted(keys, strength);
    }
    Answer[] answers = new Answer[keys.size()];
    List<ItemKey> doubtful = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      answers[i] = read(keys.get(i));
      if (answers[i] == null) {
        doubtful.add(keys.get(i));
      }
    }
    if (doubtful.isEmpty()) {
      return CompletableFuture.completedStage(Arrays.asList(answers));
    }
    return beneath
        .readCommitted(doubtful, strength)
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

  /** Returns null where there is any doubt. */
  private Answer read(ItemKey key) {
    if (key.item().length() > 0) {
      metrics.items.increment();
      return null;
    }
    ArenaKey wanted = ArenaKey.of(key.partition().toBuffer(), key.item().toBuffer());
    LongAdder cause = metrics.withoutArena;
    Version newest = null;
    int found = 0;
    for (ArenaFolder folder : folders) {
      ArenaReader arena = folder.of(key.table());
      if (arena == null) {
        continue;
      }
      ArenaReader.Answer answer = arena.get(wanted);
      if (answer.outcome() != ArenaReader.Outcome.HIT) {
        cause = causeOf(answer.outcome());
        continue;
      }
      try {
        Version version = VersionCodec.decode(answer.body());
        boolean isNewer = newest == null || version.timestamp().isAfter(newest.timestamp());
        newest = isNewer ? version : newest;
      } catch (CorruptVersionException e) {
        cause = metrics.corrupt;
        continue;
      }
      if (++found == needed) {
        return hit(key, newest);
      }
    }
    cause.increment();
    return null;
  }

  private LongAdder causeOf(ArenaReader.Outcome outcome) {
    return switch (outcome) {
      case HIT, MISS -> metrics.misses;
      case TORN -> metrics.torn;
      case SILENT -> metrics.silent;
    };
  }

  private Answer hit(ItemKey key, Version version) {
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

  @Override
  public void close() {
    folders.forEach(ArenaFolder::close);
  }

  // ---- as beneath

  @Override
  public Stream<Bytes> partitions(String table) {
    return beneath.partitions(table);
  }

  @Override
  public CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, Strength strength) {
    return beneath.newestCommitted(keys, strength);
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    return beneath.readCandidates(queries, strength);
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return beneath.readItems(wanted, strength);
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return beneath.prepare(writes);
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    return beneath.commit(writes);
  }

  @Override
  public CompletionStage<Void> collect(Write committed) {
    return beneath.collect(committed);
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return beneath.openSweep(table, partition);
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return beneath.sweep(table, partition);
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return beneath.purge(key, deletion);
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return beneath.drop(key, prepared);
  }
}
