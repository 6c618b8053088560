/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.kasane.ramp.protocol.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Goes through a source in the order of its tokens, page by page, the next one being read while one
 * is worked on. What fails for a while is tried again. For one thread.
 */
final class SourceScan {
  private static final int MAX_TRIES = 6;

  private final CqlSession session;
  private final Source source;
  private final ConsistencyLevel level;
  private final int pageRows;

  SourceScan(CqlSession session, Source source, ConsistencyLevel level, int pageRows) {
    this.session = session;
    this.source = source;
    this.level = level;
    this.pageRows = pageRows;
  }

  /** Does something with a page of rows, and waits for its end. */
  interface Work {
    /**
     * A page.
     *
     * @param readMicros what it shows is no older than this, microseconds since 1970
     * @param doneUpTo once this is done, all rows whose token is no higher are
     */
    void page(List<Row> rows, long readMicros, long doneUpTo) throws InterruptedException;
  }

  /**
   * Goes on behind a token, to the end of the ring.
   *
   * @throws BackfillException if it failed again and again
   */
  void from(long token, Work work) throws InterruptedException {
    long done = token;
    int failures = 0;
    while (done < Long.MAX_VALUE) {
      Slice slice = new Slice(done, work);
      try {
        slice.run();
        failures = 0;
      } catch (UnavailableException | DriverException e) {
        failures = slice.done > done ? 1 : failures + 1;
        if (failures == MAX_TRIES || e instanceof QueryValidationException) {
          throw new BackfillException(
              "the backfill of "
                  + source.name()
                  + " stopped behind token "
                  + slice.done
                  + ": "
                  + e.getMessage()
                  + ". Begin it again when the cluster is well: it goes on from there",
              e);
        }
        Thread.sleep(Duration.ofSeconds(1L << (failures - 1)).toMillis());
      }
      done = slice.done;
    }
  }

  /** From a token to the next boundary of the ring. */
  private final class Slice {
    private final long end;
    private final Work work;
    private long done;

    Slice(long after, Work work) {
      this.done = after;
      this.end = source.sliceEnd(after);
      this.work = work;
    }

    void run() throws InterruptedException {
      Asked asked = Asked.now(() -> session.executeAsync(source.rows(done, end, level, pageRows)));
      while (asked != null) {
        AsyncResultSet page = Answers.of(asked.answer);
        Asked next = page.hasMorePages() ? Asked.now(page::fetchNextPage) : null;
        List<Row> rows = new ArrayList<>();
        page.currentPage().forEach(rows::add);
        // The rest of the last row's partition may be on the next page.
        long upTo =
            next == null
                ? end
                : rows.isEmpty() ? done : source.token(rows.get(rows.size() - 1)) - 1;
        work.page(rows, asked.micros, upTo);
        done = Math.max(done, upTo);
        asked = next;
      }
    }
  }

  /** A page that was asked for. */
  private record Asked(long micros, CompletionStage<AsyncResultSet> answer) {
    private interface Question {
      CompletionStage<AsyncResultSet> ask();
    }

    static Asked now(Question question) {
      long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      return new Asked(micros, question.ask());
    }
  }
}
