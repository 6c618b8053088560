/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.spi.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReadBulkheadTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final AtomicLong nowNanos = new AtomicLong();
  private final CircuitBreaker breaker = new CircuitBreaker(nowNanos::get);
  private final CircuitBreaker otherBreaker = new CircuitBreaker(nowNanos::get);

  private ReadBulkhead gate(int places, Duration longestWait) {
    return gate(breaker, places, longestWait);
  }

  private ReadBulkhead gate(CircuitBreaker of, int places, Duration longestWait) {
    return new ReadBulkhead(of, places, LONG, longestWait, nowNanos::get);
  }

  /** A thread that ends when it has its passes; they stay open. */
  private static CompletableFuture<List<ReadBulkhead.Pass>> entering(ReadBulkhead... gates) {
    CompletableFuture<List<ReadBulkhead.Pass>> entered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                entered.complete(Stream.of(gates).map(ReadBulkhead::enter).toList());
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

  private static List<ReadBulkhead.Pass> passesOfAThread(ReadBulkhead... gates) {
    return entering(gates).orTimeout(10, TimeUnit.SECONDS).join();
  }

  private static ReadBulkhead.Pass byAnotherThread(ReadBulkhead gate) {
    return passesOfAThread(gate).get(0);
  }

  private static void assertRefused(Supplier<?> enter, String why) {
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

  private void pass(Duration time) {
    nowNanos.addAndGet(time.toNanos());
  }

  /** As the node does, each second. */
  private void lookFor(Duration time, ReadBulkhead... gates) {
    for (Duration left = time; !left.isNegative(); left = left.minus(BETWEEN_LOOKS)) {
      Stream.of(gates).forEach(ReadBulkhead::look);
      pass(BETWEEN_LOOKS);
    }
  }

  @Test
  void shouldLetSoManyThreadsReadAtATime() {
    ReadBulkhead gate = gate(2, LONG);
    List<ReadBulkhead.Pass> passes = List.of(byAnotherThread(gate), byAnotherThread(gate));
    CompletableFuture<List<ReadBulkhead.Pass>> third = entering(gate);
    assertThat(third).isNotDone();
    assertThat(gate.readers()).isEqualTo(2);
    passes.get(0).close();
    passes.get(0).close();
    ReadBulkhead.Pass thirdPass = third.join().get(0);
    CompletableFuture<List<ReadBulkhead.Pass>> fourth = entering(gate);
    assertThat(fourth).as("a pass that is returned twice").isNotDone();
    assertThat(gate.readers()).isEqualTo(2);
    thirdPass.close();
    fourth.join().get(0).close();
    passes.get(1).close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldGiveUpWhenNoPlaceIsReturned() {
    ReadBulkhead gate = gate(1, SHORT);
    try (ReadBulkhead.Pass pass = byAnotherThread(gate)) {
      assertThat(pass).isNotNull();
      assertRefused(gate::enter, "all 1 threads");
    }
    gate.enter().close();
    assertThat(gate.readers()).isZero();
  }

  /** A query by an index reads rows while it reads the index. */
  @Test
  void shouldGiveAThreadThatReadsFurtherPassesAtOnce() {
    ReadBulkhead gate = gate(1, LONG);
    List<ReadBulkhead.Pass> passes = passesOfAThread(gate, gate, gate);
    assertThat(gate.readers()).isOne();
    CompletableFuture<List<ReadBulkhead.Pass>> waiting = entering(gate);
    passes.get(0).close();
    passes.get(2).close();
    passes.get(2).close();
    assertThat(waiting).as("while one of its passes is open").isNotDone();
    passes.get(1).close();
    waiting.join().get(0).close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldMakeAThreadWaitAgainWhoseLastPassAnotherOneReturned() {
    ReadBulkhead gate = gate(1, SHORT);
    ReadBulkhead.Pass first = gate.enter();
    CompletableFuture.runAsync(first::close).join();
    try (ReadBulkhead.Pass other = byAnotherThread(gate)) {
      assertThat(other).isNotNull();
      assertRefused(gate::enter, "all 1 threads");
    }
  }

  /** A table's rows may be in two engines. */
  @Test
  void shouldGiveAThreadThatReadsPassesOfAnotherGateAtOnce() {
    ReadBulkhead one = gate(breaker, 1, LONG);
    ReadBulkhead other = gate(otherBreaker, 1, LONG);
    List<ReadBulkhead.Pass> across = passesOfAThread(one, other);
    List<ReadBulkhead.Pass> back = passesOfAThread(other, one);
    assertThat(Stream.of(one, other).map(ReadBulkhead::readers)).containsExactly(1, 1);
    across.get(0).close();
    assertThat(one.readers()).as("while it reads in the other").isOne();
    across.get(1).close();
    assertThat(Stream.of(one, other).map(ReadBulkhead::readers)).containsExactly(0, 1);
    back.forEach(ReadBulkhead.Pass::close);
    assertThat(Stream.of(one, other).map(ReadBulkhead::readers)).containsExactly(0, 0);
  }

  @Test
  void shouldRefuseFurtherPassesWhileTheEngineIsOut() {
    ReadBulkhead gate = gate(2, LONG);
    try (ReadBulkhead.Pass pass = gate.enter()) {
      assertThat(pass).isNotNull();
      breaker.failed("broken");
      assertRefused(gate::enter, "is out: broken");
    }
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldNotTakeALongReadForOneThatHangs() {
    ReadBulkhead gate = gate(1, LONG);
    try (ReadBulkhead.Pass pass = gate.enter()) {
      lookFor(LONG.multipliedBy(2), gate);
      assertThat(breaker.isClosed()).as("a consumer that is slow").isTrue();
      for (int call = 0; call < 3; call++) {
        pass.callBegins();
        lookFor(LONG.dividedBy(2), gate);
        pass.callEnded();
      }
      assertThat(breaker.isClosed()).as("an engine that is slow").isTrue();
    }
  }

  @Test
  void shouldPutAnEngineOutWhoseCallDoesNotReturn() {
    ReadBulkhead gate = gate(1, LONG);
    ReadBulkhead.Pass hung = byAnotherThread(gate);
    hung.callBegins();
    hung.callEnded();
    gate.look();
    hung.callBegins();
    CompletableFuture<List<ReadBulkhead.Pass>> waiting = entering(gate);
    lookFor(LONG, gate);
    assertThat(breaker.isClosed()).as("not late yet").isTrue();
    lookFor(BETWEEN_LOOKS, gate);
    assertThat(breaker.state().reason()).contains("601 s");
    assertRefused(waiting::join, "is out");
    assertRefused(gate::enter, "is out");

    // It is in again, and a thread still hangs.
    assertThat(breaker.beginsProbe()).isTrue();
    breaker.probed(null);
    lookFor(LONG.multipliedBy(2), gate);
    assertThat(breaker.isClosed()).as("a call that was told of").isTrue();
    hung.callEnded();
    lookFor(BETWEEN_LOOKS, gate);
    hung.callBegins();
    lookFor(LONG.plus(BETWEEN_LOOKS), gate);
    assertThat(breaker.isClosed()).as("another one").isFalse();
    hung.close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldPutTheEngineOutThatAFurtherPassHangsIn() {
    ReadBulkhead one = gate(breaker, 1, LONG);
    ReadBulkhead other = gate(otherBreaker, 1, LONG);
    List<ReadBulkhead.Pass> passes = passesOfAThread(one, other, other);
    passes.get(1).close();
    passes.get(2).callBegins();
    lookFor(LONG.plus(BETWEEN_LOOKS), one, other);
    assertThat(breaker.isClosed()).as("where it waits for nothing").isTrue();
    assertThat(otherBreaker.isClosed()).as("where it hangs").isFalse();
    passes.forEach(ReadBulkhead.Pass::close);
  }

  @Test
  void shouldKeepThePlaceOfAReadThatItsThreadHasLeft() {
    ReadBulkhead gate = gate(1, SHORT);
    ReadBulkhead.Pass left = gate.enter();
    left.detach();
    assertThat(gate.readers()).isOne();
    assertRefused(gate::enter, "all 1 threads");
    left.close();
    left.detach();
    assertThat(gate.readers()).isZero();
    gate.enter().close();
  }

  @Test
  void shouldLetAThreadLeaveOneOfItsReadsAndGoOn() {
    ReadBulkhead gate = gate(1, SHORT);
    ReadBulkhead.Pass first = gate.enter();
    ReadBulkhead.Pass left = gate.enter();
    left.detach();
    assertThat(gate.readers()).as("more than there are places").isEqualTo(2);
    gate.enter().close();
    first.close();
    assertThat(gate.readers()).isOne();
    assertRefused(gate::enter, "all 1 threads");
    left.close();
    gate.enter().close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldTellWhetherAReadHangs() {
    ReadBulkhead gate = gate(1, SHORT);
    ReadBulkhead.Pass pass = gate.enter();
    lookFor(LONG.multipliedBy(2), gate);
    assertThat(gate.hangs()).as("between two calls").isFalse();
    pass.callBegins();
    lookFor(LONG.dividedBy(2), gate);
    assertThat(gate.hangs()).as("slow").isFalse();
    lookFor(LONG, gate);
    assertThat(gate.hangs()).isTrue();
    pass.callEnded();
    lookFor(BETWEEN_LOOKS, gate);
    assertThat(gate.hangs()).isFalse();
    pass.close();
  }
}
