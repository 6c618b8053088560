/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.store.RateLimiter;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Copies a plain CQL table into tables and collections of transactions, while applications write to
 * both. What a transaction wrote to a key, a deletion too, before or after, stays as it is; see
 * {@link RampSession#seed}. A row that was read twice and had changed is there as it was read last.
 *
 * <p>How far it is stands in the table {@code kasane_backfills} of the target's keyspace: whoever
 * runs a backfill of the same name goes on from there, after a kill, too. Two who do so at once do
 * the same work twice.
 *
 * <p>Immutable; all methods that go through the source wait, and one may run at a time for each
 * thread.
 */
public final class Backfill {
  private static final int MAX_PAGE_ROWS = 10_000;
  private static final int MAX_ROWS_PER_SECOND = 1_000_000;

  private final String keyspace;
  private final String table;
  private final Function<Row, Stream<Seed>> seedsOf;
  private final String name;
  private final int rowsPerSecond;
  private final int pageRows;
  private final ConsistencyLevel level;
  private final boolean takesExpiring;

  private Backfill(
      String keyspace,
      String table,
      Function<Row, Stream<Seed>> seedsOf,
      String name,
      int rowsPerSecond,
      int pageRows,
      ConsistencyLevel level,
      boolean takesExpiring) {
    this.keyspace = Objects.requireNonNull(keyspace);
    this.table = Objects.requireNonNull(table);
    this.seedsOf = Objects.requireNonNull(seedsOf);
    this.name = Objects.requireNonNull(name);
    requireRowsPerSecond(rowsPerSecond);
    this.rowsPerSecond = rowsPerSecond;
    requireWithin("pageRows", pageRows, MAX_PAGE_ROWS);
    this.pageRows = pageRows;
    this.level = Objects.requireNonNull(level);
    this.takesExpiring = takesExpiring;
  }

  /**
   * Of a table, at 1,000 rows a second, read at QUORUM in pages of 500 rows.
   *
   * @param keyspace of the source, as Cassandra has it
   * @param table the source, as Cassandra has it
   * @param seedsOf what a row becomes: mostly one seed, of {@link
   *     io.kasane.ramp.cql.RampTable#seed}, {@link io.kasane.ramp.cql.RampCollection#seed} or
   *     {@link io.kasane.ramp.cql.use.SecondaryIndex#seed} and its like; none where it is left out.
   *     Is given all columns. Always the same for the same row, and no two rows give the same key.
   *     Runs on the caller's thread
   */
  public static Backfill of(String keyspace, String table, Function<Row, Stream<Seed>> seedsOf) {
    return new Backfill(
        keyspace,
        table,
        seedsOf,
        keyspace + "." + table,
        1_000,
        500,
        ConsistencyLevel.QUORUM,
        false);
  }

  /** The same under another name: by it, that of the source if nothing is said, it is resumed. */
  public Backfill withName(String name) {
    return new Backfill(
        keyspace, table, seedsOf, name, rowsPerSecond, pageRows, level, takesExpiring);
  }

  /** The same at another rate, of rows of the source. */
  public Backfill withRowsPerSecond(int rowsPerSecond) {
    return new Backfill(
        keyspace, table, seedsOf, name, rowsPerSecond, pageRows, level, takesExpiring);
  }

  /**
   * Checks a rate.
   *
   * @throws IllegalArgumentException if {@link #withRowsPerSecond} would not take it
   */
  public static void requireRowsPerSecond(int rowsPerSecond) {
    requireWithin("rowsPerSecond", rowsPerSecond, MAX_ROWS_PER_SECOND);
  }

  /** The same with other pages: as many rows are held in memory, twice. */
  public Backfill withPageRows(int pageRows) {
    return new Backfill(
        keyspace, table, seedsOf, name, rowsPerSecond, pageRows, level, takesExpiring);
  }

  /**
   * The same with the source read at another level. It must meet what the application writes the
   * source with, as QUORUM does QUORUM, or rows that it acknowledged may be missed.
   */
  public Backfill withReadLevel(ConsistencyLevel level) {
    return new Backfill(
        keyspace, table, seedsOf, name, rowsPerSecond, pageRows, level, takesExpiring);
  }

  /** The same of a source whose rows expire, too: what is made of them does not. */
  public Backfill withExpiringRows() {
    return new Backfill(keyspace, table, seedsOf, name, rowsPerSecond, pageRows, level, true);
  }

  /**
   * Goes on where the last one of this name stopped, or begins.
   *
   * @param cql reads the source and keeps how far it is
   * @param target the keyspace of the session
   * @param session whose tables the seeds are of
   * @param listener told after each page, on this thread
   * @return what was met since it began; at once where it has come to its end before
   * @throws BackfillException if it cannot begin or go on; {@link
   *     io.kasane.ramp.protocol.RampException} of other kinds where a seed is over a limit, or this
   *     machine's clock is wrong
   */
  public BackfillCounts run(
      CqlSession cql, String target, RampSession session, Consumer<BackfillProgress> listener) {
    return runner(cql, target, session, listener).run(false);
  }

  /** As {@link #run}, from the beginning of the source in any case. */
  public BackfillCounts restart(
      CqlSession cql, String target, RampSession session, Consumer<BackfillProgress> listener) {
    return runner(cql, target, session, listener).run(true);
  }

  private BackfillRunner runner(
      CqlSession cql, String target, RampSession session, Consumer<BackfillProgress> listener) {
    Source source = source(cql);
    return new BackfillRunner(
        name,
        scan(cql, source),
        source,
        new Seeding(source, seedsOf, new RateLimiter(rowsPerSecond)),
        RunTable.open(cql, target),
        session,
        listener);
  }

  /**
   * Goes through the source and counts what has no value in the target, and no deletion that is
   * still remembered. Changes nothing, and compares no values: the target's may be newer. What is
   * missing is looked for again at the end, since it may have been on its way.
   *
   * @param listener told after each page, on this thread
   */
  public BackfillCheck verify(
      CqlSession cql, RampSession session, Consumer<BackfillProgress> listener) {
    Source source = source(cql);
    return new BackfillVerifier(
            scan(cql, source),
            new Seeding(source, seedsOf, new RateLimiter(rowsPerSecond)),
            session,
            listener)
        .verify();
  }

  private Source source(CqlSession cql) {
    Source source = Source.of(cql, keyspace, table);
    if (source.defaultTtlSeconds() > 0 && !takesExpiring) {
      throw new BackfillException(
          "the source "
              + source.name()
              + " has default_time_to_live = "
              + source.defaultTtlSeconds()
              + " seconds, and transactions have no TTL: what is copied stays for good. If the"
              + " application deletes it in their place, say Backfill.withExpiringRows()");
    }
    return source;
  }

  private SourceScan scan(CqlSession cql, Source source) {
    return new SourceScan(cql, source, level, pageRows);
  }

  private static void requireWithin(String setting, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", not from 1 to " + most + ": take one of these");
    }
  }
}
