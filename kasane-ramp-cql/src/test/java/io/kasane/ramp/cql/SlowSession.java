/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A driver session whose answers come later, as from far away. */
public final class SlowSession {
  private SlowSession() {}

  /** The same session, whose answers take that much longer. */
  public static CqlSession of(CqlSession session, long delayNanos) {
    Executor later = CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS);
    return (CqlSession)
        Proxy.newProxyInstance(
            SlowSession.class.getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(session, arguments);
                return method.getName().equals("executeAsync")
                    ? ((CompletionStage<?>) answer).thenApplyAsync(result -> result, later)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
