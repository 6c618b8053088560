/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReadGateTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final AtomicLong nowNanos = new AtomicLong();
  private final Breaker breaker = new Breaker(nowNanos::get);

  private ReadGate gate(int places, Duration most) {
    return new ReadGate(breaker, places, most, nowNanos::get);
  }

  private static CompletableFuture<ReadGate.Pass> entering(ReadGate gate) {
    CompletableFuture<ReadGate.Pass> entered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                entered.complete(gate.enter());
              } catch (RuntimeException e) {
                entered.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Awaitility.await()
        .until(() -> entered.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
    return entered;
  }

  private static void assertRefused(Supplier<ReadGate.Pass> enter, String why) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(
            () -> {
              try {
                enter.get();
              } catch (CompletionException e) {
                throw e.getCause();
              }
            })
        .withMessageContaining(why);
  }

  @Test
  void shouldLetSoManyReadAtATime() {
    ReadGate gate = gate(2, LONG);
    List<ReadGate.Pass> passes = new ArrayList<>(List.of(gate.enter(), gate.enter()));
    CompletableFuture<ReadGate.Pass> third = entering(gate);
    assertThat(third).isNotDone();
    assertThat(gate.readers()).isEqualTo(2);
    passes.get(0).close();
    passes.get(0).close();
    third.join().close();
    passes.get(1).close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldGiveUpWhenNoPlaceIsReturned() {
    ReadGate gate = gate(1, Duration.ofMillis(10));
    try (ReadGate.Pass pass = gate.enter()) {
      assertThat(pass).isNotNull();
      assertRefused(gate::enter, "all 1 threads");
    }
    gate.enter().close();
  }

  @Test
  void shouldPutAnEngineOutWhoseReadHangs() {
    ReadGate gate = gate(1, LONG);
    ReadGate.Pass hung = gate.enter();
    nowNanos.addAndGet(LONG.toNanos());
    gate.look();
    assertThat(breaker.isClosed()).as("not late yet").isTrue();
    CompletableFuture<ReadGate.Pass> waiting = entering(gate);
    nowNanos.addAndGet(1);
    gate.look();
    assertThat(breaker.state().reason()).contains("600 s");
    assertRefused(waiting::join, "is out");
    assertRefused(gate::enter, "is out");

    // It is in again, and a thread still hangs.
    nowNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(breaker.beginsProbe()).isTrue();
    breaker.probed(null);
    gate.look();
    assertThat(breaker.isClosed()).as("a read that was told of").isTrue();
    hung.close();
    hung.close();
    try (ReadGate.Pass again = gate.enter()) {
      assertThat(again).isNotNull();
      assertThat(gate.readers()).isOne();
      nowNanos.addAndGet(LONG.toNanos() + 1);
      gate.look();
      assertThat(breaker.isClosed()).as("another one").isFalse();
    }
    assertThat(gate.readers()).isZero();
  }
}
