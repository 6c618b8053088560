/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeriodicWorkerTest {
  private static final List<String> TABLES = List.of("first", "second", "third");

  /** Ends the thread of the test at the last of {@code rounds} rounds. */
  private static List<String> seenIn(int rounds, Throwable thrownForSecond) throws Exception {
    List<String> seen = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    PeriodicWorker<String> forEver =
        new PeriodicWorker<>(
            () -> TABLES,
            table -> {
              if (done.getCount() == 0) {
                LockSupport.park(done);
                return;
              }
              seen.add(table);
              if (seen.size() == rounds * TABLES.size()) {
                done.countDown();
              }
              if (table.equals("second")) {
                PeriodicWorkerTest.<RuntimeException>throwUnchecked(thrownForSecond);
              }
            },
            "Test of {} failed",
            System::nanoTime);
    forEver.startForEver("PeriodicWorkerTest", took -> 1);
    done.await();
    return seen;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void throwUnchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aTableThatFailsEndsNothing() throws Exception {
    List<String> thrice = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      thrice.addAll(TABLES);
    }
    for (Throwable thrown :
        List.of(
            new IllegalStateException("a defect"),
            new AssertionError("a defect"),
            new NoClassDefFoundError("jars were replaced"),
            new OutOfMemoryError("Cassandra's inspector throws this on"),
            new InterruptedException("checked"))) {
      assertThat(seenIn(3, thrown)).as("%s", thrown).isEqualTo(thrice);
    }
  }

  @Test
  void anErrorWhileTablesAreListedEndsNothing() throws Exception {
    CountDownLatch listed = new CountDownLatch(3);
    PeriodicWorker<String> rounds =
        new PeriodicWorker<>(
            () -> {
              listed.countDown();
              throw new AssertionError("no list");
            },
            table -> {},
            "Test of {} failed",
            System::nanoTime);
    rounds.startForEver(
        "PeriodicWorkerTest",
        took ->
            listed.getCount() > 0 ? TimeUnit.MILLISECONDS.toNanos(1) : TimeUnit.DAYS.toNanos(1));
    assertThat(listed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theAgeCountsFromTheEndOfTheLastRound() {
    AtomicLong clock = new AtomicLong(-7);
    List<Long> agesDuring = new ArrayList<>();
    AtomicReference<PeriodicWorker<String>> rounds = new AtomicReference<>();
    rounds.set(
        new PeriodicWorker<>(
            () -> TABLES,
            table -> {
              clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
              agesDuring.add(rounds.get().ageMillis());
              throw new AssertionError("a round in which all fail is a round");
            },
            "Test of {} failed",
            clock::get));
    assertThat(rounds.get().ageMillis()).isZero();
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(250));
    rounds.get().run();
    assertThat(agesDuring).containsExactly(1250L, 2250L, 3250L);
    assertThat(rounds.get().ageMillis()).isZero();
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    assertThat(rounds.get().ageMillis()).isEqualTo(120_000);
  }
}
