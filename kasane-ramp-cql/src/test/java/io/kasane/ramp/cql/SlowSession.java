/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

  private static CqlSession of(CqlSession session, UnaryOperator<CompletionStage<?>> change) {
    return (CqlSession)
        Proxy.newProxyInstance(
            SlowSession.class.getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(session, arguments);
                return method.getName().equals("executeAsync")
                    ? change.apply((CompletionStage<?>) answer)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
