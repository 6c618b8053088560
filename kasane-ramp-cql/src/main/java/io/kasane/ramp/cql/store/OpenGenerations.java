/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.kasane.ramp.cql.store.KnownGenerations.Known;
import io.kasane.ramp.cql.store.KnownGenerations.Moment;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Writes committed items where they count. A sweep copies what is in a generation a while after it
 * opened the next one. So what is acknowledged was written within less than that after a quorum was
 * asked which one is open, and what took longer is written again.
 */
final class OpenGenerations {
  private final KnownGenerations known;
  private final Requests requests;
  private final Function<String, CompletionStage<TableStatements>> tables;
  private final ConsistencyLevel level;
  private final Duration longest;

  /**
   * Over tables of a store.
   *
   * @param level of a quorum
   * @param longest from the question to the acknowledgement
   */
  OpenGenerations(
      KnownGenerations known,
      Requests requests,
      Function<String, CompletionStage<TableStatements>> tables,
      ConsistencyLevel level,
      Duration longest) {
    this.known = known;
    this.requests = requests;
    this.tables = tables;
    this.level = level;
    this.longest = longest;
  }

  /**
   * Does a write that may be done again.
   *
   * @param how writes, given the generation of each key; of keys that are no items 0
   */
  CompletionStage<Void> write(
      Collection<Write> writes,
      BiFunction<Collection<Write>, ToIntFunction<ItemKey>, CompletionStage<Void>> how) {
    List<CollectionKey> collections =
        writes.stream()
            .map(Write::key)
            .filter(OpenGenerations::isItem)
            .map(CollectionKey::of)
            .distinct()
            .toList();
    if (collections.isEmpty()) {
      return how.apply(writes, key -> 0);
    }
    return Requests.each(collections, this::open)
        .thenCompose(
            open -> {
              Map<CollectionKey, Known> places = new HashMap<>();
              for (int index = 0; index < collections.size(); index++) {
                places.put(collections.get(index), open.get(index));
              }
              return how.apply(writes, key -> generation(places, key))
                  .thenCompose(done -> again(writes, places, how));
            });
  }

  private CompletionStage<Void> again(
      Collection<Write> writes,
      Map<CollectionKey, Known> places,
      BiFunction<Collection<Write>, ToIntFunction<ItemKey>, CompletionStage<Void>> how) {
    List<Write> late =
        writes.stream()
            .filter(write -> isItem(write.key()))
            .filter(write -> isOlder(places.get(CollectionKey.of(write.key())), longest))
            .collect(Collectors.toList());
    return late.isEmpty() ? CompletableFuture.completedFuture(null) : write(late, how);
  }

  private static int generation(Map<CollectionKey, Known> places, ItemKey key) {
    return isItem(key) ? places.get(CollectionKey.of(key)).generations().open() : 0;
  }

  static boolean isItem(ItemKey key) {
    return key.item().length() > 0;
  }

  private static boolean isOlder(Known place, Duration age) {
    return place.asked().orElseThrow().mayBeOlderThan(age);
  }

  /** As a quorum showed it lately; a put has just looked at the markers beside. */
  private CompletionStage<Known> open(CollectionKey collection) {
    return known
        .byQuorum(collection)
        .filter(last -> !isOlder(last, longest.dividedBy(2)))
        .<CompletionStage<Known>>map(CompletableFuture::completedFuture)
        .orElseGet(() -> ask(collection));
  }

  private CompletionStage<Known> ask(CollectionKey collection) {
    Moment asked = Moment.now();
    return tables
        .apply(collection.table())
        .thenCompose(
            table ->
                requests.rows(
                    table.readGenerations(collection.partition()),
                    "read where items of " + collection.table() + " are",
                    level))
        .thenApply(
            rows -> {
              Generations generations = Bodies.generations(rows);
              known.saw(collection, generations, asked, true);
              return new Known(generations, Optional.of(asked));
            });
  }
}
