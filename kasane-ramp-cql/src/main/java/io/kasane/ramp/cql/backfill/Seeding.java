/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.store.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Makes seeds of the rows of a page, and does something with them, some at a time. */
final class Seeding {
  private static final int AT_ONCE = 10;
  private static final int MAX_IN_FLIGHT = 32;

  private final Source source;
  private final Function<Row, Stream<Seed>> seedsOf;
  private final RateLimiter pace;

  Seeding(Source source, Function<Row, Stream<Seed>> seedsOf, RateLimiter pace) {
    this.source = source;
    this.seedsOf = seedsOf;
    this.pace = pace;
  }

  /**
   * What was met on a page.
   *
   * @param counted what the work on it came to
   */
  record Page(long rows, long seeds, long expiring, long counted) {}

  /**
   * Waits until all is done.
   *
   * @param work done with some seeds
   * @param count of what the work ended with, added up
   */
  <T> Page page(
      List<Row> rows, Function<List<Seed>, CompletionStage<T>> work, ToLongFunction<T> count)
      throws InterruptedException {
    InFlight inFlight = new InFlight(MAX_IN_FLIGHT);
    AtomicLong counted = new AtomicLong();
    long seeds = 0;
    long expiring = 0;
    for (int from = 0; from < rows.size(); from += AT_ONCE) {
      List<Row> some = rows.subList(from, Math.min(rows.size(), from + AT_ONCE));
      pace.take(some.size());
      List<Seed> made = new ArrayList<>();
      for (Row row : some) {
        made.addAll(seedsOf(row));
        expiring += source.isExpiring(row) ? 1 : 0;
      }
      seeds += made.size();
      if (!made.isEmpty()) {
        inFlight.begin(
            () -> work.apply(made), ended -> counted.addAndGet(count.applyAsLong(ended)));
      }
    }
    inFlight.end();
    return new Page(rows.size(), seeds, expiring, counted.get());
  }

  private List<Seed> seedsOf(Row row) {
    try {
      return seedsOf.apply(row).toList();
    } catch (RuntimeException e) {
      throw new BackfillException(
          "the row function failed on the row of "
              + source.name()
              + " WHERE "
              + source.keyOf(row)
              + ": "
              + e
              + ". Have it take such a row, or return nothing for it to be left out, and begin"
              + " again: it goes on from there",
          e);
    }
  }
}
