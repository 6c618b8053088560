/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The store as one client process sees it: CQL to simulated replicas, with a driver's timeout. */
final class SimStore implements VersionStore {
  private static final long TIMEOUT_MICROS = 20_000;
  private static final long ARENA_MICROS = 5;

  private final EventLoop loop;
  private final Chance chance;
  private final Cluster cluster;
  private final ClientLink client;
  private final boolean sweeps;
  private final Trace trace;
  private final Consumer<Collection<Write>> atPrepare;

  /**
   * The store of that client.
   *
   * @param sweeps whether deletions may be left out of what a collection shows
   * @param atPrepare learns what is about to be prepared
   */
  SimStore(
      EventLoop loop,
      Chance chance,
      Cluster cluster,
      ClientLink client,
      boolean sweeps,
      Trace trace,
      Consumer<Collection<Write>> atPrepare) {
    this.loop = loop;
    this.chance = chance;
    this.cluster = cluster;
    this.client = client;
    this.sweeps = sweeps;
    this.trace = trace;
    this.atPrepare = atPrepare;
  }

  /** In several data centres a quorum of one of them says nothing of the others. */
  @Override
  public boolean isQuorum(Strength strength) {
    return cluster.climate().topology().centres() == 1
        && (strength != Strength.FIRST_ROUND
            || (cluster.climate().firstRoundAtQuorum() && !cluster.hasArenas()));
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    trace.add(loop, () -> client + " reads " + keys + " at " + strength);
    Gather<Answer> gather = new Gather<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      ItemKey key = keys.get(i);
      int place = i;
      Optional<Answer> shown = inArena(key, strength);
      if (shown.isPresent()) {
        loop.after(ARENA_MICROS, () -> gather.add(place, shown.get(), null));
        continue;
      }
      cluster.read(
          client,
          node -> {
            node.arena().ifPresent(arena -> arena.noteRead(key));
            return Map.of(key, node.rows(key).markerOnly());
          },
          strength,
          (rows, failure) ->
              gather.add(place, rows == null ? null : answer(rows.get(key), strength), failure));
    }
    return gather.result();
  }

  private Optional<Answer> inArena(ItemKey key, Strength strength) {
    return strength == Strength.FIRST_ROUND && NodeArena.holds(key)
        ? cluster.arenaFor(client).flatMap(arena -> arena.read(key))
        : Optional.empty();
  }

  private Answer answer(ItemRows rows, Strength strength) {
    Version committed = rows.committed();
    if (strength == Strength.FIRST_ROUND && chance.happens(cluster.climate().misses())) {
      return committed == null || chance.happens(0.5)
          ? new Answer.Miss()
          : new Answer.MarkerOnly(committed.timestamp());
    }
    return committed == null ? new Answer.Absent() : new Answer.Present(committed);
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    trace.add(loop, () -> client + " looks for " + queries + " at " + strength);
    Gather<Candidates> gather = new Gather<>(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      CandidateQuery query = queries.get(i);
      int place = i;
      cluster.read(
          client,
          node -> Map.of(query.key(), node.rows(query.key()).markerAnd(query.timestamps())),
          strength,
          (rows, failure) ->
              gather.add(
                  place, rows == null ? null : candidates(query, rows.get(query.key())), failure));
    }
    return gather.result();
  }

  private static Candidates candidates(CandidateQuery query, ItemRows rows) {
    Map<Timestamp, Version> found = new HashMap<>();
    for (Timestamp timestamp : query.timestamps()) {
      Version version = rows.prepared(timestamp);
      if (version == null
          && rows.committed() != null
          && rows.committed().timestamp().equals(timestamp)) {
        version = rows.committed();
      }
      if (version != null) {
        found.put(timestamp, version);
      }
    }
    Version committed = rows.committed();
    return new Candidates(
        committed == null ? new Answer.Absent() : new Answer.Present(committed), found);
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    trace.add(loop, () -> client + " reads " + wanted + " at " + strength);
    Gather<ItemPage> gather = new Gather<>(1);
    cluster.read(
        client,
        node -> node.markers(wanted.table(), wanted.partition()),
        strength,
        (rows, failure) -> {
          Map<ItemKey, Version> found = new HashMap<>();
          if (rows != null) {
            rows.forEach(
                (key, item) -> {
                  if (item.committed() != null && !isSweptAway(item.committed())) {
                    found.put(key, item.committed());
                  }
                });
          }
          gather.add(0, ItemPage.of(wanted, found, Optional.empty()), failure);
        });
    return gather.result().thenApply(all -> all.get(0));
  }

  /** Deletions may be left out, each time or not. */
  private boolean isSweptAway(Version committed) {
    return sweeps && committed.isDeletion() && chance.happens(0.5);
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return CompletableFuture.completedFuture(null);
  }

  /** Whoever reads meets it swept or not, as chance has it. */
  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    trace.add(loop, () -> client + " prepares " + names(writes));
    atPrepare.accept(writes);
    Map<ItemKey, List<ItemRows>> deltas = new HashMap<>();
    for (Write write : writes) {
      deltas.put(write.key(), List.of(ItemRows.ofPrepared(write.version())));
    }
    return write(deltas, level(StoreRule.PREPARE_AT_QUORUM));
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    trace.add(loop, () -> client + " commits " + names(writes));
    Map<ItemKey, List<ItemRows>> deltas = new HashMap<>();
    for (Write write : writes) {
      deltas.put(write.key(), List.of(committed(write)));
    }
    return write(deltas, level(StoreRule.COMMIT_AT_QUORUM));
  }

  private ItemRows committed(Write write) {
    return ItemRows.ofCommitted(
        write.version(),
        cluster.climate().keeps(StoreRule.PROTOCOL_TIMESTAMPS)
            ? write.version().timestamp().micros()
            : SimEnvironment.BEGINNING_MICROS + loop.nowMicros());
  }

  private Cluster.WriteLevel level(StoreRule rule) {
    if (!cluster.climate().keeps(rule)) {
      return Cluster.WriteLevel.ONE;
    }
    return cluster.climate().keeps(StoreRule.WRITE_AT_EACH_QUORUM)
        ? Cluster.WriteLevel.EACH_QUORUM
        : Cluster.WriteLevel.LOCAL_QUORUM;
  }

  @Override
  public CompletionStage<Void> collect(Write committed) {
    trace.add(loop, () -> client + " collects " + names(List.of(committed)));
    ItemRows deletion = ItemRows.ofCollected(committed.version().timestamp());
    List<ItemRows> deltas =
        cluster.climate().keeps(StoreRule.COLLECT_IN_ONE_BATCH)
            ? List.of(deletion.merge(committed(committed)))
            : List.of(deletion);
    return write(Map.of(committed.key(), deltas), Cluster.WriteLevel.EACH_QUORUM);
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    trace.add(loop, () -> client + " purges " + key + " up to " + deletion);
    return write(Map.of(key, List.of(ItemRows.ofPurged(deletion))), Cluster.WriteLevel.EACH_QUORUM);
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    trace.add(loop, () -> client + " drops " + key + "@" + prepared);
    return write(
        Map.of(key, List.of(ItemRows.ofDropped(prepared))), Cluster.WriteLevel.EACH_QUORUM);
  }

  private CompletionStage<Void> write(
      Map<ItemKey, List<ItemRows>> deltas, Cluster.WriteLevel level) {
    Gather<Boolean> gather = new Gather<>(deltas.size());
    int place = 0;
    for (Map.Entry<ItemKey, List<ItemRows>> entry : deltas.entrySet()) {
      int at = place++;
      cluster.write(
          client,
          entry.getKey(),
          entry.getValue(),
          level,
          failure -> gather.add(at, Boolean.TRUE, failure));
    }
    return gather.result().thenApply(all -> null);
  }

  private static List<String> names(Collection<Write> writes) {
    return writes.stream()
        .map(
            write ->
                write.key()
                    + "@"
                    + write.version().timestamp()
                    + (write.version().isDeletion() ? " deleted" : ""))
        .toList();
  }

  /** Answers to several questions, in their order, or the first failure, or a timeout. */
  private final class Gather<T> {
    private final CompletableFuture<List<T>> future = new CompletableFuture<>();
    private final List<T> answers = new ArrayList<>();
    private final int size;
    private int missing;

    Gather(int size) {
      this.size = size;
      this.missing = size;
      for (int i = 0; i < size; i++) {
        answers.add(null);
      }
    }

    void add(int place, T answer, String failure) {
      if (failure != null) {
        future.completeExceptionally(new StoreException(failure, null));
        return;
      }
      if (answers.get(place) == null) {
        answers.set(place, answer);
        if (--missing == 0) {
          future.complete(new ArrayList<>(answers));
        }
      }
    }

    CompletionStage<List<T>> result() {
      if (size == 0) {
        future.complete(List.of());
      }
      loop.after(
          TIMEOUT_MICROS,
          () -> {
            if (client.isAlive()) {
              future.completeExceptionally(new StoreException("no answer in time", null));
            }
          });
      return future;
    }
  }
}
