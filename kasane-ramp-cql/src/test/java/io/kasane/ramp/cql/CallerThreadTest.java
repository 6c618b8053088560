/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class CallerThreadTest {
  private static CompletionStage<Void> elsewhere() {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    new Thread(() -> stage.complete(null), "elsewhere").start();
    return stage;
  }

  @Test
  void runsFunctionsOnTheThreadThatWaits() {
    CallerThread caller = new CallerThread();
    List<Thread> threads = new ArrayList<>();
    CompletionStage<Integer> stage =
        elsewhere()
            .thenCompose(
                done ->
                    caller.run(
                        () -> {
                          threads.add(Thread.currentThread());
                          return 1;
                        }))
            .thenCompose(one -> elsewhere().thenApply(done -> one))
            .thenCompose(
                one ->
                    caller.run(
                        () -> {
                          threads.add(Thread.currentThread());
                          return one + 1;
                        }));
    assertThat(caller.lend("count", stage)).isEqualTo(2);
    assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  @Test
  void passesFailuresOn() {
    CallerThread caller = new CallerThread();
    CompletionStage<Integer> failing =
        elsewhere()
            .thenCompose(
                done ->
                    caller.run(
                        () -> {
                          throw new IllegalStateException("of the function");
                        }));
    assertThatThrownBy(() -> caller.lend("fail", failing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("of the function");
  }

  @Test
  void anInterruptedThreadWaitsNoLonger() {
    CallerThread caller = new CallerThread();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> caller.lend("wait", new CompletableFuture<Integer>()))
        .hasMessageContaining("wait was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
