/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import io.kasane.ramp.cql.store.KnownGenerations.Moment;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The two steps of sweeps. Others may sweep the same collection beside. Thread-safe. */
final class Sweeps {
  private final KnownGenerations known;
  private final Requests requests;
  private final Levels levels;
  private final Duration between;
  private final Map<CollectionKey, Opened> opened = new ConcurrentHashMap<>();

  /**
   * Over tables of a store.
   *
   * @param between how long after the first step writes to the generation before may still be
   *     acknowledged
   */
  Sweeps(KnownGenerations known, Requests requests, Levels levels, Duration between) {
    this.known = known;
    this.requests = requests;
    this.levels = levels;
    this.between = between;
  }

  /** Opens the next generation, unless somebody has. */
  CompletionStage<Void> open(TableStatements table, CollectionKey collection) {
    return generations(table, collection)
        .thenCompose(
            found -> {
              Generations next = found.opened();
              return requests
                  .write(
                      table.writeGenerations(collection.partition(), next),
                      0,
                      what(collection),
                      levels.all())
                  .thenAccept(
                      done -> opened.put(collection, new Opened(next.stage(), Moment.now())));
            });
  }

  /** Copies what is live into it; nothing where somebody else has gone on meanwhile. */
  CompletionStage<Void> sweep(TableStatements table, CollectionKey collection) {
    Opened mine = opened.get(collection);
    if (mine == null || !mine.at.isOlderThan(between)) {
      return CompletableFuture.failedFuture(
          new StoreException(
              "Cannot " + what(collection) + ": it was not opened " + between + " ago", null));
    }
    opened.remove(collection, mine);
    return generations(table, collection)
        .thenCompose(
            found ->
                found.stage() == mine.stage
                    ? new Sweep(requests, levels, table, collection, found)
                        .run()
                        .thenAccept(swept -> known.saw(collection, swept, Moment.now(), false))
                    : CompletableFuture.completedFuture(null));
  }

  private CompletionStage<Generations> generations(
      TableStatements table, CollectionKey collection) {
    return requests
        .rows(table.readGenerations(collection.partition()), what(collection), levels.all())
        .thenApply(Bodies::generations);
  }

  private static String what(CollectionKey collection) {
    return "sweep " + collection.table();
  }

  /** The first step of a sweep, as all replicas have it. */
  private record Opened(int stage, Moment at) {}
}
