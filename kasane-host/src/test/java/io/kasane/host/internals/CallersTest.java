/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallersTest {
  private static final Callers.Method WAITING = new Callers.Method(CallersTest.class, "waiting");

  @Test
  void shouldFindThreadsThatAreInsideOfAMethod() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread thread = new Thread(() -> waiting(begun, end));
    thread.start();
    begun.await();
    assertThat(Callers.within(List.of(WAITING))).containsExactly(thread);
    assertThat(Callers.isWithin(thread, WAITING)).isTrue();
    assertThat(Callers.isWithin(WAITING)).as("this thread").isFalse();
    end.countDown();
    thread.join();
    assertThat(Callers.within(List.of(WAITING))).isEmpty();
    assertThat(Callers.isWithin(thread, WAITING)).isFalse();
  }

  private static void waiting(CountDownLatch begun, CountDownLatch end) {
    assertThat(Callers.isWithin(WAITING)).isTrue();
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
