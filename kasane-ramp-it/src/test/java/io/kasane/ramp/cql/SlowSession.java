/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A driver session whose answers come later, as from far away, or not at all. */
public final class SlowSession {
  private SlowSession() {}

  /** The same session, whose answers take that much longer. */
  public static CqlSession of(CqlSession session, long delayNanos) {
    Executor later = CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS);
    return of(session, answer -> answer.thenApplyAsync(result -> result, later));
  }

  /** The same session, which gives up on some answers when they come. */
  public static CqlSession late(CqlSession session, BooleanSupplier isLate) {
    return of(
        session,
        answer ->
            isLate.getAsBoolean()
                ? answer.thenCompose(
                    result -> CompletableFuture.failedStage(new DriverTimeoutException("too late")))
                : answer);
  }

  /** The same session, whose statements are shown to somebody. */
  public static CqlSession watched(CqlSession session, Consumer<Object> watcher) {
    return of(session, watcher, answer -> answer);
  }

  /** The same session, which does something before each page that is asked for. */
  public static CqlSession paged(CqlSession session, Runnable before) {
    return of(
        session,
        statement -> {},
        answer -> answer.thenApply(page -> paged((AsyncResultSet) page, before)));
  }

  private static AsyncResultSet paged(AsyncResultSet page, Runnable before) {
    return (AsyncResultSet)
        Proxy.newProxyInstance(
            SlowSession.class.getClassLoader(),
            new Class<?>[] {AsyncResultSet.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("fetchNextPage")) {
                return method.invoke(page, arguments);
              }
              // On no thread of the driver, since it may ask something itself.
              return CompletableFuture.runAsync(before)
                  .thenCompose(done -> page.fetchNextPage())
                  .thenApply(next -> paged(next, before));
            });
  }

  private static CqlSession of(CqlSession session, UnaryOperator<CompletionStage<?>> change) {
    return of(session, statement -> {}, change);
  }

  private static CqlSession of(
      CqlSession session, Consumer<Object> watcher, UnaryOperator<CompletionStage<?>> change) {
    return (CqlSession)
        Proxy.newProxyInstance(
            SlowSession.class.getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (proxy, method, arguments) -> {
              try {
                boolean asks = method.getName().equals("executeAsync");
                if (asks) {
                  watcher.accept(arguments[0]);
                }
                Object answer = method.invoke(session, arguments);
                return asks ? change.apply((CompletionStage<?>) answer) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
