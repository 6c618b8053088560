/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One replica in memory, and beside it what weaker reads see. Calls are done at once, or held back
 * until the test lets them go, or refused. All are written down, as {@code "prepare a b"}.
 */
final class MemoryStore implements VersionStore {
  final Map<ItemKey, Version> committed = new HashMap<>();
  final Map<ItemKey, NavigableMap<Timestamp, Version>> prepared = new HashMap<>();

  /** What reads see instead, by strength, until removed. */
  final Map<Strength, Map<ItemKey, Answer>> seen = new HashMap<>();

  /** Prepared versions that only reads at all replicas see. */
  final Map<ItemKey, NavigableMap<Timestamp, Version>> hidden = new HashMap<>();

  final List<String> calls = new ArrayList<>();
  final List<Held> held = new ArrayList<>();
  Predicate<String> holds = call -> false;
  Predicate<String> refuses = call -> false;

  /** Strengths whose reads are quorums. */
  Predicate<Strength> quorums = strength -> strength != Strength.FIRST_ROUND;

  /** Runs before each call is done. */
  Consumer<String> before = call -> {};

  @Override
  public boolean isQuorum(Strength strength) {
    return quorums.test(strength);
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    return call(
        "read " + strength + names(keys),
        () -> keys.stream().map(key -> answer(key, strength)).toList());
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    return call(
        "candidates " + strength + names(queries.stream().map(CandidateQuery::key).toList()),
        () -> queries.stream().map(query -> candidates(query, strength)).toList());
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return call(
        "collection " + strength + " " + wanted.partition().toUtf8(),
        () -> {
          Map<ItemKey, Version> items = new HashMap<>();
          for (ItemKey key : committed.keySet()) {
            if (wanted.contains(key) && answer(key, strength) instanceof Answer.Present present) {
              items.put(key, present.version());
            }
          }
          return ItemPage.of(wanted, items, Optional.empty());
        });
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return call("openSweep " + partition.toUtf8(), () -> {});
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return call("sweep " + partition.toUtf8(), () -> {});
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return call("prepare" + keys(writes), () -> writes.forEach(this::doPrepare));
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    return call("commit" + keys(writes), () -> writes.forEach(this::doCommit));
  }

  @Override
  public CompletionStage<Void> collect(Write write) {
    return call(
        "collect" + keys(List.of(write)),
        () -> {
          doCommit(write);
          versions(write.key()).headMap(write.version().timestamp(), true).clear();
        });
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return call(
        "purge" + names(List.of(key)),
        () -> {
          if (committed.containsKey(key) && !committed.get(key).timestamp().isAfter(deletion)) {
            committed.remove(key);
          }
          versions(key).headMap(deletion, true).clear();
        });
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp timestamp) {
    return call(
        "drop" + names(List.of(key)),
        () -> {
          versions(key).remove(timestamp);
        });
  }

  void doPrepare(Write write) {
    versions(write.key()).put(write.version().timestamp(), write.version());
  }

  void doCommit(Write write) {
    committed.merge(
        write.key(),
        write.version(),
        (old, fresh) -> fresh.timestamp().isAfter(old.timestamp()) ? fresh : old);
  }

  /** Reads of that strength see this as committed. */
  void show(Strength strength, ItemKey key, Answer answer) {
    seen.computeIfAbsent(strength, s -> new HashMap<>()).put(key, answer);
  }

  NavigableMap<Timestamp, Version> versions(ItemKey key) {
    return prepared.computeIfAbsent(key, k -> new TreeMap<>());
  }

  /** Does the first of the calls that are held back. */
  void release() {
    held.remove(0).run();
  }

  private Answer answer(ItemKey key, Strength strength) {
    Answer instead = seen.getOrDefault(strength, Map.of()).get(key);
    if (instead != null) {
      return instead;
    }
    Version version = committed.get(key);
    return version == null ? new Answer.Absent() : new Answer.Present(version);
  }

  private Candidates candidates(CandidateQuery query, Strength strength) {
    Map<Timestamp, Version> found = new HashMap<>();
    for (Timestamp timestamp : query.timestamps()) {
      Optional.ofNullable(versions(query.key()).get(timestamp))
          .ifPresent(version -> found.put(timestamp, version));
      if (strength == Strength.ALL && hidden.containsKey(query.key())) {
        Optional.ofNullable(hidden.get(query.key()).get(timestamp))
            .ifPresent(version -> found.put(timestamp, version));
      }
    }
    return new Candidates(answer(query.key(), strength), found);
  }

  private CompletionStage<Void> call(String name, Runnable work) {
    return call(
        name,
        () -> {
          work.run();
          return null;
        });
  }

  private <T> CompletionStage<T> call(String name, Supplier<T> work) {
    calls.add(name);
    CompletableFuture<T> result = new CompletableFuture<>();
    Held held = new Held(name, () -> finish(name, work, result), result);
    if (holds.test(name)) {
      this.held.add(held);
    } else {
      held.run();
    }
    return result;
  }

  private <T> void finish(String name, Supplier<T> work, CompletableFuture<T> result) {
    before.accept(name);
    if (refuses.test(name)) {
      result.completeExceptionally(new StoreException("refused: " + name, null));
    } else {
      result.complete(work.get());
    }
  }

  private static String keys(Collection<Write> writes) {
    return names(writes.stream().map(Write::key).toList());
  }

  private static String names(List<ItemKey> keys) {
    StringBuilder names = new StringBuilder();
    for (ItemKey key : keys) {
      names.append(' ').append(key.partition().toUtf8());
      names.append(key.item().length() == 0 ? "" : "/" + key.item().toUtf8());
    }
    return names.toString();
  }

  /** A call that is held back. */
  record Held(String name, Runnable work, CompletableFuture<?> result) {
    void run() {
      work.run();
    }
  }
}
