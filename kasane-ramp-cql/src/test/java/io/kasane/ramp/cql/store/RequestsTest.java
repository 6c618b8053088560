/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.store.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RequestsTest {
  private final AtomicInteger sent = new AtomicInteger();

  /** Sends one write, which fails whenever it is sent. */
  private void write(RuntimeException failure, Duration longest) {
    CqlSession session =
        (CqlSession)
            Proxy.newProxyInstance(
                RequestsTest.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("executeAsync");
                  sent.incrementAndGet();
                  return CompletableFuture.failedStage(failure);
                });
    Requests requests = new Requests(session, CqlStoreOptions.defaults(), longest);
    assertThatThrownBy(
            () ->
                requests
                    .write(
                        SimpleStatement.newInstance("UPDATE"),
                        1,
                        "write",
                        DefaultConsistencyLevel.QUORUM)
                    .toCompletableFuture()
                    .join())
        .hasCauseInstanceOf(StoreException.class);
  }

  @Test
  void whatIsNotAnsweredInTimeIsSentOnceMore() {
    write(new DriverTimeoutException("late"), Duration.ofHours(1));
    assertThat(sent).hasValue(2);
  }

  /** As after a machine was suspended: the version may have been given up by then. */
  @Test
  void whatWasSentLongAgoIsNot() {
    write(new DriverTimeoutException("late"), Duration.ofNanos(-1));
    assertThat(sent).hasValue(1);
  }

  @Test
  void whatFailedOtherwiseIsNot() {
    write(new IllegalStateException("refused"), Duration.ofHours(1));
    assertThat(sent).hasValue(1);
  }
}
