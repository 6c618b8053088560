/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedInputsTest {
  private final SharedInputs inputs = new SharedInputs(Set.of());

  @Test
  void shouldEndWhenAllCopiesHave() {
    assertThat(inputs.enter()).isTrue();
    assertThat(inputs.enter()).isTrue();
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread compaction =
        new Thread(
            () -> {
              inputs.close();
              end.complete(null);
            });
    compaction.start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> compaction.getState() == Thread.State.WAITING);
    inputs.leave();
    assertThat(end).isNotDone();
    inputs.leave();
    assertThat(end).succeedsWithin(Duration.ofSeconds(30));
    assertThat(inputs.enter()).isFalse();
    inputs.close(); // ended twice
  }
}
