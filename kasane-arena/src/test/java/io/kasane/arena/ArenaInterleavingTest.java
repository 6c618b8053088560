/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.arena.ArenaReader.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All orders in which two writes, a fill and an eviction of one key can come: no slot may be older
 * than what was acknowledged. Each rule of docs/design/arena.md that prevents it is left out once.
 */
class ArenaInterleavingTest {
  /** A rule that is left out. */
  private enum Without {
    NOTHING,
    UPDATES_AFTER_THE_STORAGE,
    UPDATES_BEFORE_ANYBODY_IS_TOLD,
    THE_LATER_VERSION_STAYS,
    WRITES_MAKE_NO_SLOT,
    A_TICKET_BEFORE_THE_READ
  }

  @TempDir private Path dir;

  @Test
  void noSlotIsOlderThanWhatWasAcknowledged() throws IOException {
    assertThat(staleOrders(Without.NOTHING)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
  void withoutARuleSomeAre(Without rule) throws IOException {
    assertThat(staleOrders(rule)).isPositive();
  }

  private long staleOrders(Without rule) throws IOException {
    Path file = dir.resolve("arena");
    try (ArenaWriter writer = Arenas.withSets(file, 1)) {
      ArenaReader reader = Arenas.awake(writer, ArenaReader.open(file, Arenas.TABLE));
      long stale = 0;
      for (boolean hasSlot : new boolean[] {false, true}) {
        for (List<Integer> order : orders(new int[] {3, 3, 3, 1})) {
          Arenas.awake(writer, reader);
          if (new Run(writer, reader, rule, hasSlot).isStale(order)) {
            stale++;
          }
        }
      }
      return stale;
    }
  }

  /** All orders of the steps of threads that have so many each. */
  private static List<List<Integer>> orders(int[] steps) {
    List<List<Integer>> all = new ArrayList<>();
    collect(steps, new ArrayList<>(), all);
    return all;
  }

  private static void collect(int[] left, List<Integer> order, List<List<Integer>> all) {
    boolean isWhole = true;
    for (int thread = 0; thread < left.length; thread++) {
      if (left[thread] > 0) {
        isWhole = false;
        left[thread]--;
        order.add(thread);
        collect(left, order, all);
        order.remove(order.size() - 1);
        left[thread]++;
      }
    }
    if (isWhole) {
      all.add(List.copyOf(order));
    }
  }

  /** One order: threads 0 and 1 write versions 2 and 3, thread 2 fills, thread 3 evicts. */
  private static final class Run {
    private final ArenaWriter writer;
    private final ArenaReader reader;
    private final Without rule;
    private final ArenaKey key = Arenas.key("key");
    private final int[] done = new int[4];
    private long stored = 1;
    private long acknowledged = 1;
    private long ticket;
    private long read;

    Run(ArenaWriter writer, ArenaReader reader, Without rule, boolean hasSlot) {
      this.writer = writer;
      this.reader = reader;
      this.rule = rule;
      writer.evict(key);
      if (hasSlot) {
        writer.fill(key, 0, new ArenaVersion(stored, 0, body(stored)), writer.ticket(key));
      }
    }

    boolean isStale(List<Integer> order) {
      for (int thread : order) {
        int step = done[thread]++;
        switch (thread) {
          case 0, 1 -> write(thread + 2, step);
          case 2 -> fill(step);
          default -> writer.evict(key);
        }
        ArenaReader.Answer answer = reader.get(key);
        if (answer.outcome() == Outcome.HIT && answer.body().getLong(0) < acknowledged) {
          return true;
        }
      }
      return false;
    }

    private void write(long version, int step) {
      String[] steps =
          switch (rule) {
            case UPDATES_AFTER_THE_STORAGE -> new String[] {"report", "store", "acknowledge"};
            case UPDATES_BEFORE_ANYBODY_IS_TOLD -> new String[] {"store", "acknowledge", "report"};
            default -> new String[] {"store", "report", "acknowledge"};
          };
      switch (steps[step]) {
        case "store" -> stored = Math.max(stored, version);
        case "acknowledge" -> acknowledged = Math.max(acknowledged, version);
        default -> report(version);
      }
    }

    private void report(long version) {
      boolean hasSlot = reader.get(key).outcome() == Outcome.HIT;
      if (rule == Without.THE_LATER_VERSION_STAYS && hasSlot) {
        writer.evict(key);
        writer.fill(key, 0, new ArenaVersion(version, 0, body(version)), writer.ticket(key));
        return;
      }
      writer.update(key, new ArenaVersion(version, 0, body(version)));
      if (rule == Without.WRITES_MAKE_NO_SLOT && !hasSlot) {
        writer.fill(key, 0, new ArenaVersion(version, 0, body(version)), writer.ticket(key));
      }
    }

    private void fill(int step) {
      switch (step) {
        case 0 -> ticket = writer.ticket(key);
        case 1 -> read = stored;
        default ->
            writer.fill(
                key,
                0,
                new ArenaVersion(read, 0, body(read)),
                rule == Without.A_TICKET_BEFORE_THE_READ ? writer.ticket(key) : ticket);
      }
    }

    private static ByteBuffer body(long version) {
      return ByteBuffer.allocate(Long.BYTES).putLong(version).flip();
    }
  }
}
