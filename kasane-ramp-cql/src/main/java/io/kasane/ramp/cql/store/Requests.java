/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.kasane.ramp.cql.store.KnownGenerations.Moment;
import io.kasane.ramp.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends statements, each at its level and at no other, a bounded number at a time. */
final class Requests {
  private static final Duration MAX_DURATION = Duration.ofSeconds(10);

  private final CqlSession session;
  private final InFlightLimit limit;
  private final Duration longest;

  Requests(CqlSession session, CqlStoreOptions options) {
    this(session, options, MAX_DURATION);
  }

  /**
   * The same.
   *
   * @param longest after which nothing is sent once more
   */
  Requests(CqlSession session, CqlStoreOptions options, Duration longest) {
    this.session = session;
    this.longest = longest;
    this.limit = new InFlightLimit(options.maxInFlight(), options.maxWaitingBytes());
  }

  /** All rows of a read. Page by page, so a long answer is not one look. */
  CompletionStage<List<Row>> rows(Statement<?> read, String what, ConsistencyLevel level) {
    return send(read, 0, what, level)
        .thenCompose(page -> more(page, new ArrayList<>(), what, level));
  }

  /**
   * Sends a write.
   *
   * @param bytes what it writes
   */
  CompletionStage<Void> write(Statement<?> write, long bytes, String what, ConsistencyLevel level) {
    return send(write, bytes, what, level).thenApply(done -> null);
  }

  private CompletionStage<List<Row>> more(
      AsyncResultSet page, List<Row> rows, String what, ConsistencyLevel level) {
    page.currentPage().forEach(rows::add);
    if (!page.hasMorePages()) {
      return CompletableFuture.completedFuture(rows);
    }
    return checked(twice(() -> limit.run(0, page::fetchNextPage)), what, level)
        .thenCompose(next -> more(next, rows, what, level));
  }

  private CompletionStage<AsyncResultSet> send(
      Statement<?> statement, long bytes, String what, ConsistencyLevel level) {
    Statement<?> sent = statement.setConsistencyLevel(level).setIdempotent(true);
    return checked(twice(() -> limit.run(bytes, () -> session.executeAsync(sent))), what, level);
  }

  /**
   * Once more where no answer came in time, which the driver leaves to its users: by then the
   * cluster may know that a node is down. All statements carry their time, so that twice is as good
   * as once; but not much later, as after a machine was suspended: what was written may be given up
   * by then.
   */
  private <T> CompletionStage<T> twice(Supplier<CompletionStage<T>> request) {
    Moment begun = Moment.now();
    return request
        .get()
        .exceptionallyCompose(
            failure ->
                Failures.isLate(failure) && !begun.mayBeOlderThan(longest)
                    ? request.get()
                    : CompletableFuture.failedStage(failure));
  }

  private static CompletionStage<AsyncResultSet> checked(
      CompletionStage<AsyncResultSet> answer, String what, ConsistencyLevel level) {
    return answer.handle(
        (result, failure) -> {
          if (failure != null) {
            throw new CompletionException(Failures.of(failure, what, level));
          }
          requireLevel(result.getExecutionInfo(), what, level);
          return result;
        });
  }

  /** A retry policy may have sent it again at another level. */
  private static void requireLevel(ExecutionInfo info, String what, ConsistencyLevel level) {
    if (info.getRequest() instanceof Statement<?> sent
        && sent.getConsistencyLevel() != null
        && !sent.getConsistencyLevel().equals(level)) {
      throw new StoreException(
          "Cannot "
              + what
              + " at "
              + level
              + ": the session's retry policy lowered the level to "
              + sent.getConsistencyLevel()
              + ". Set advanced.retry-policy.class = DefaultRetryPolicy",
          null);
    }
  }

  /** The answers in the order of the questions, once all are there; fails if one of them does. */
  static <Q, A> CompletionStage<List<A>> each(
      Iterable<Q> questions, Function<Q, CompletionStage<A>> ask) {
    List<CompletableFuture<A>> answers = new ArrayList<>();
    for (Q question : questions) {
      answers.add(ask.apply(question).toCompletableFuture());
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(answer -> answer.getNow(null)).toList());
  }
}
