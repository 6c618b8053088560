/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.store.KnownGenerations.Moment;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads items, one by its name or all of a collection, from the generations that count. Which those
 * are is read with them, in the same look.
 */
final class Items {
  private static final int MAX_GENERATIONS = 64;

  private final Requests requests;
  private final KnownGenerations known;
  private final ConsistencyLevel quorum;
  private final int pageRows;
  private final ItemPages pages;

  /**
   * Reads by way of these requests.
   *
   * @param quorum the level at which a doubtful item is looked for by its name
   */
  Items(Requests requests, KnownGenerations known, ConsistencyLevel quorum, int pageRows) {
    this.requests = requests;
    this.known = known;
    this.quorum = quorum;
    this.pageRows = pageRows;
    this.pages = new ItemPages(requests, pageRows);
  }

  /**
   * The committed version of an item, and those of the prepared ones that are there.
   *
   * @param isQuorum whether the level is one of a quorum
   */
  CompletionStage<Candidates> candidates(
      TableStatements table,
      ItemKey key,
      Collection<Timestamp> prepared,
      ConsistencyLevel level,
      boolean isQuorum) {
    Generations last = known.of(CollectionKey.of(key));
    return candidates(table, key, prepared, level, isQuorum, last.first(), last.last());
  }

  private CompletionStage<Candidates> candidates(
      TableStatements table,
      ItemKey key,
      Collection<Timestamp> prepared,
      ConsistencyLevel level,
      boolean isQuorum,
      int first,
      int last) {
    Moment asked = Moment.now();
    return requests
        .rows(table.readItem(key, first, last, prepared), "read " + key.table(), level)
        .thenCompose(
            rows -> {
              Generations found = Bodies.generations(rows);
              known.saw(CollectionKey.of(key), found, asked, isQuorum);
              if (found.first() < first || found.last() > last) {
                int to = upTo(CollectionKey.of(key), found, first, last);
                return candidates(table, key, prepared, level, isQuorum, found.first(), to);
              }
              return CompletableFuture.completedFuture(Bodies.candidates(key, rows, found.first()));
            });
  }

  /** What is wanted of a collection. Deletions may be among it. */
  CompletionStage<ItemPage> read(
      TableStatements table, ItemRange wanted, ConsistencyLevel level, boolean isQuorum) {
    CollectionKey collection = CollectionKey.of(wanted);
    Generations last = known.of(collection);
    if (wanted.isWhole()) {
      return collection(table, collection, level, isQuorum, last.first(), last.last())
          .thenApply(items -> new ItemPage(items, Optional.empty()));
    }
    return wanted.before().filter(end -> end.compareTo(wanted.from()) <= 0).isPresent()
        ? CompletableFuture.completedFuture(new ItemPage(Map.of(), Optional.empty()))
        : page(table, wanted, level, isQuorum, last.first(), last.last());
  }

  /**
   * Which generations count is asked after the rows were read: no item leaves a generation before
   * all replicas say that it counts no more.
   */
  private CompletionStage<ItemPage> page(
      TableStatements table,
      ItemRange wanted,
      ConsistencyLevel level,
      boolean isQuorum,
      int first,
      int last) {
    CollectionKey collection = CollectionKey.of(wanted);
    return pages
        .read(table, wanted, level, first, last)
        .thenCompose(
            read -> {
              Moment asked = Moment.now();
              return requests
                  .rows(table.readGenerations(wanted.partition()), what(collection), level)
                  .thenCompose(
                      rows -> {
                        Generations found = Bodies.generations(rows);
                        known.saw(collection, found, asked, isQuorum);
                        if (found.first() < first || found.last() > last) {
                          int to = upTo(collection, found, first, last);
                          return page(table, wanted, level, isQuorum, found.first(), to);
                        }
                        return checked(table, collection, read.rows(), found)
                            .thenApply(all -> ItemPage.of(wanted, all, read.readUpTo()));
                      });
            });
  }

  /**
   * How far to ask again from the first generation that was found to count. What was asked for lies
   * below it where a sweep has gone on, and counts no more; above it where a replica lags behind,
   * and may. A replica lags by one, so more than a few are a table that was restored, or forged.
   */
  private int upTo(CollectionKey collection, Generations found, int first, int last) {
    if (found.first() >= first) {
      return found.last();
    }
    if (last - found.first() > MAX_GENERATIONS) {
      known.forget(collection);
      throw new StoreException(
          "What is said of where the items of a collection in "
              + collection.table()
              + " are goes back by "
              + (first - found.first())
              + " sweeps, as if part of the table was restored. Try again; if that does not help,"
              + " repair the table.",
          null);
    }
    return last;
  }

  private static String what(CollectionKey collection) {
    return "read a collection of " + collection.table();
  }

  private CompletionStage<Map<ItemKey, Version>> collection(
      TableStatements table,
      CollectionKey collection,
      ConsistencyLevel level,
      boolean isQuorum,
      int first,
      int last) {
    Moment asked = Moment.now();
    return requests
        .rows(
            table.readCollection(collection.partition(), first, pageRows), what(collection), level)
        .thenCompose(
            rows -> {
              Generations found = Bodies.generations(rows);
              known.saw(collection, found, asked, isQuorum);
              // One page is one look, and who shows a stage then shows the copies that belong to
              // it.
              boolean movedMeanwhile = found.last() > last && rows.size() >= pageRows;
              if (found.first() < first || movedMeanwhile) {
                int to = upTo(collection, found, first, last);
                return collection(table, collection, level, isQuorum, found.first(), to);
              }
              return checked(table, collection, rows, found);
            });
  }

  private CompletionStage<Map<ItemKey, Version>> checked(
      TableStatements table, CollectionKey collection, List<Row> rows, Generations generations) {
    CollectionRows items = CollectionRows.of(collection, rows, generations);
    return Requests.each(items.doubtful(), key -> byName(table, key))
        .thenApply(
            answers -> {
              Map<ItemKey, Version> all = items.versions();
              for (int index = 0; index < answers.size(); index++) {
                ItemKey key = items.doubtful().get(index);
                if (answers.get(index) instanceof Answer.Present present
                    && present.version().timestamp().isAfter(all.get(key).timestamp())) {
                  all.put(key, present.version());
                  forget(table, key, generations, present.version());
                } else if (answers.get(index) instanceof Answer.Miss) {
                  throw Bodies.damaged(key, "they are no version");
                }
              }
              return all;
            });
  }

  /** What came late and lies below a deletion would come back once that is forgotten. */
  private void forget(TableStatements table, ItemKey key, Generations generations, Version newer) {
    for (int generation = generations.first(); generation <= generations.last(); generation++) {
      requests
          .write(
              table.deleteItem(key, generation, newer.timestamp().micros() - 1),
              0,
              "forget an older version of " + key.table(),
              quorum)
          .whenComplete((done, failure) -> {});
    }
  }

  private CompletionStage<Answer> byName(TableStatements table, ItemKey key) {
    return candidates(table, key, List.of(), quorum, true).thenApply(Candidates::committed);
  }
}
