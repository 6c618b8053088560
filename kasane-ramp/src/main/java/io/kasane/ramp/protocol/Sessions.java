/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
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

/** Holds gets and puts to what their sessions saw. Thread-safe. */
final class Sessions {
  private final VersionStore store;
  private final Reads reads;
  private final Deadlines deadlines;
  private final RampStatistics statistics;
  private final boolean floorsHold;

  Sessions(
      VersionStore store,
      Reads reads,
      Deadlines deadlines,
      RampStatistics statistics,
      Set<Rule> rules) {
    this.store = store;
    this.reads = reads;
    this.deadlines = deadlines;
    this.statistics = statistics;
    this.floorsHold = rules.contains(Rule.FLOORS);
  }

  /** How many replicas the session's first rounds ask. */
  Strength firstRound(Session session) {
    return session.floors().overflowed() ? Strength.QUORUM : Strength.FIRST_ROUND;
  }

  /** Puts the session's floors below a get. */
  void hold(Session session, ReadSet wanted, Gathered gathered) {
    if (floorsHold) {
      Map<ItemKey, Timestamp> floors = session.floors().of(wanted);
      floors.forEach(gathered::floor);
      for (ItemKey key : session.floors().deletedOf(floors.keySet())) {
        gathered.deleted(key, floors.get(key));
      }
    }
  }

  /** Remembers what a get saw. */
  void saw(Session session, Gathered gathered) {
    if (!floorsHold) {
      return;
    }
    gathered.purged().forEach(session.floors()::forget);
    for (ItemKey key : ReadSet.inOrder(gathered.chosen().keySet())) {
      boolean deletion = gathered.chosen().get(key).isDeletion();
      session.floors().raise(key, gathered.at(key), deletion, gathered.isSettled(key));
    }
    Map<ItemKey, Version> deleted = gathered.deleted();
    if (!deleted.isEmpty()) {
      new TreeMap<>(deleted)
          .forEach((key, each) -> session.floors().raise(key, each.timestamp(), true, false));
    }
    settle(session);
  }

  /** Remembers what was written and acknowledged. */
  void wrote(Session session, Map<ItemKey, Optional<Bytes>> writes, Timestamp timestamp) {
    if (floorsHold) {
      new TreeMap<>(writes)
          .forEach((key, value) -> session.floors().raise(key, timestamp, value.isEmpty(), true));
      settle(session);
    }
  }

  /** Waits until the session has room for more; fails if it needs a version that was lost. */
  CompletionStage<Void> room(Session session) {
    if (!session.floors().isFull()) {
      return CompletableFuture.completedFuture(null);
    }
    return settle(session)
        .thenAccept(
            nothing -> {
              if (session.floors().isFull()) {
                throw new UnavailableException(
                    "the session saw more keys than maxFloors, and what it saw cannot be completed"
                        + " now; try again");
              }
            });
  }

  /** Completes what leaves the session: commits what not every quorum shows. */
  private CompletionStage<Void> settle(Session session) {
    CompletableFuture<Void> running = session.settling().get();
    if (running != null) {
      return running;
    }
    Map<ItemKey, Timestamp> leaving = session.floors().leaving();
    if (leaving.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    if (!session.settling().compareAndSet(null, mine)) {
      return settle(session);
    }
    List<ItemKey> keys = List.copyOf(leaving.keySet());
    Gathered gathered = new Gathered();
    leaving.forEach(gathered::floor);
    Deadlines.Expiry expiry = deadlines.start(() -> end(session, mine));
    Futures.begin(() -> reads.run(gathered, ReadSet.of(leaving.keySet()), Strength.QUORUM, expiry))
        .thenCompose(rounds -> store.commit(writes(keys, gathered)))
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                gathered.purged().forEach(session.floors()::forget);
                keys.forEach(key -> session.floors().settled(key, gathered.at(key)));
                statistics.floorsSettled.add(keys.size());
              }
              expiry.done();
              if (Futures.cause(failure) instanceof LostVersionException lost) {
                mine.completeExceptionally(lost);
              }
              end(session, mine);
            });
    return mine;
  }

  private static void end(Session session, CompletableFuture<Void> settling) {
    session.settling().compareAndSet(settling, null);
    settling.complete(null);
  }

  private static List<Write> writes(List<ItemKey> keys, Gathered gathered) {
    List<Write> writes = new ArrayList<>();
    for (ItemKey key : keys) {
      Version version = gathered.chosen().get(key);
      if (version != null && !gathered.isSettled(key)) {
        writes.add(new Write(key, version));
      }
    }
    return writes;
  }
}
