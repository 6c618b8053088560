/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.protocol.ContendedException;
import io.kasane.ramp.protocol.RampException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitingTest {
  @Test
  void aThreadThatBringsAnswersMustNotWait() throws Exception {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    try (SystemEnvironment environment = new SystemEnvironment("test", Duration.ZERO)) {
      environment.after(
          Duration.ofMillis(1),
          () -> {
            try {
              outcome.complete(Waiting.get("get", CompletableFuture.completedFuture("waited")));
            } catch (IllegalStateException e) {
              outcome.complete(e.getMessage());
            }
          });
      assertThat(outcome.get(10, TimeUnit.SECONDS))
          .contains("get waits for Cassandra")
          .contains("thread kasane-ramp-test")
          .contains("methods that end in Async");
    }
  }

  @Test
  void failuresComeAsTheyAre() {
    RampException failure = new ContendedException("contended", 7);
    assertThatThrownBy(
            () ->
                Waiting.get(
                    "get", CompletableFuture.failedFuture(failure).thenApply(value -> "never")))
        .isSameAs(failure);
  }

  @Test
  void whatIsDueAfterClosingIsNotRefused() {
    SystemEnvironment environment = new SystemEnvironment("test", Duration.ZERO);
    environment.close();
    assertThatCode(() -> environment.after(Duration.ZERO, () -> {})).doesNotThrowAnyException();
  }
}
