/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.testkit.TestRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Eight threads move 400 rows among 20 values of an index, and two look them up meanwhile; every
 * other one by the twins that do not wait.
 */
@Tag("node")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class IndexLoadIT {
  private static final int ROWS = 400;
  private static final int VALUES = 20;
  private static final int MOVERS = 8;
  private static final int MOVES = TestRun.size("kasane.ramp.moves", 500, 12_000);

  /** Moved by all, a third of the time: here puts of one row meet. */
  private static final int CONTENDED = 10;

  /** The last rows are each moved by one thread only, which so knows where they are. */
  private static final int OWNED = 80;

  private static final int LOAD_ROWS = 50;

  private final Random seeds = new Random(TestRun.seed());
  private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger movesLeft = new AtomicInteger(MOVES);
  private final AtomicInteger lookUps = new AtomicInteger();
  private final AtomicInteger moving = new AtomicInteger(MOVERS);
  private RampSession session;
  private SecondaryIndex<Integer, Integer, Integer> rows;

  @BeforeAll
  void load(RampSession opened) {
    session = opened;
    rows =
        SecondaryIndex.open(
            session,
            RowTable.of("moved", Codecs.int32(), Codecs.int32()),
            "moved_by_value",
            Codecs.int32(),
            Set::of);
    for (int first = 0; first < ROWS; first += LOAD_ROWS) {
      rows.put(
          session,
          IntStream.range(first, first + LOAD_ROWS)
              .boxed()
              .collect(Collectors.toMap(row -> row, row -> row % VALUES)));
    }
  }

  @Test
  void noEntryIsMissingAndNoLookUpIsWrong() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(MOVERS + 2);
    List<Future<?>> running = new ArrayList<>();
    try {
      for (int mover = 0; mover < MOVERS; mover++) {
        int number = mover;
        long seed = seeds.nextLong();
        running.add(threads.submit(() -> move(number, seed)));
      }
      for (int reader = 0; reader < 2; reader++) {
        boolean waits = reader == 0;
        long seed = seeds.nextLong();
        running.add(threads.submit(() -> lookUp(seed, waits)));
      }
      for (Future<?> one : running) {
        one.get(5, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(problems).isEmpty();
    assertThat(lookUps).hasPositiveValue();
    everyRowIsListedOnceAndWhereItIs();
  }

  private void move(int mover, long seed) {
    Random random = new Random(seed);
    boolean waits = mover % 2 == 0;
    RampSession own = session.newSession();
    try {
      while (movesLeft.getAndDecrement() > 0) {
        int value = random.nextInt(VALUES);
        int kind = random.nextInt(10);
        if (kind == 0) {
          int row = ROWS - 1 - (random.nextInt(OWNED / MOVERS) * MOVERS + mover);
          put(own, row, value, waits);
          // Another session: what it sees, all do.
          if (!rows.find(session.newSession(), value).containsKey(row)) {
            problems.add("seed " + seed + ": row " + row + " is at " + value + ", not listed");
          }
        } else {
          int row = kind < 4 ? random.nextInt(CONTENDED) : random.nextInt(ROWS - OWNED);
          put(own, row, value, waits);
        }
      }
    } finally {
      moving.decrementAndGet();
    }
  }

  private void put(RampSession by, int row, int value, boolean waits) {
    if (waits) {
      rows.put(by, row, value);
    } else {
      rows.putAsync(by, row, value).toCompletableFuture().join();
    }
  }

  private Map<Integer, Map<Integer, Integer>> find(Set<Integer> values, boolean waits) {
    return waits
        ? rows.findAll(session.newSession(), values)
        : rows.findAllAsync(session.newSession(), values).toCompletableFuture().join();
  }

  private void lookUp(long seed, boolean waits) {
    Random random = new Random(seed);
    while (moving.get() > 0) {
      Set<Integer> values = Set.copyOf(List.of(random.nextInt(VALUES), random.nextInt(VALUES)));
      Map<Integer, Integer> seen = new HashMap<>();
      find(values, waits)
          .forEach(
              (value, found) ->
                  found.forEach(
                      (row, rowValue) -> {
                        if (!rowValue.equals(value) || seen.put(row, value) != null) {
                          problems.add(
                              "seed " + seed + ": " + row + " of " + rowValue + " at " + value);
                        }
                      }));
      lookUps.incrementAndGet();
    }
  }

  private void everyRowIsListedOnceAndWhereItIs() {
    Map<Integer, Integer> listed = new HashMap<>();
    for (int value = 0; value < VALUES; value++) {
      for (int row : rows.find(session, value).keySet()) {
        assertThat(listed.put(row, value)).as("row %d is listed twice", row).isNull();
      }
    }
    assertThat(listed).hasSize(ROWS);
    for (int row = 0; row < ROWS; row++) {
      assertThat(rows.get(session, row)).as("row %d", row).contains(listed.get(row));
    }
  }
}
