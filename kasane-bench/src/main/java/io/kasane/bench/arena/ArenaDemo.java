/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.bench.report.LiveTable;
import io.kasane.cli.output.TextTable;
import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.protocol.RampException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The same reads by CQL and from a node's shared memory, beside each other, while groups of keys
 * are written. Leaves no process and no file behind.
 */
public final class ArenaDemo {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long WRITE_PAUSE_MILLIS = 5;

  private ArenaDemo() {}

  /**
   * Starts what it needs, shows it and takes it away again.
   *
   * @param duration how long both read
   * @return the exit code: 0 if it showed what it claims
   */
  public static int run(Duration duration, PrintWriter out) throws InterruptedException {
    LiveTable live = LiveTable.on(out);
    try (TemporaryPlace place = new TemporaryPlace("kasane-demo")) {
      live.step("Starting a node, and writing %,d keys ...".formatted(keys()));
      try (ArenaNode node = ArenaNode.start(place)) {
        SplittableRandom random = new SplittableRandom(1);
        for (int group = 0; group < ArenaNode.GROUPS; group++) {
          node.write(group, random);
        }
        node.fill();
        live.step(
            """
            Two threads read %d keys of 1 KB in one transaction each: one asks the node by CQL, the other
            reads the node's shared memory and asks only where that has no answer. A third one writes. A
            half: keys of one transaction with values of two.
            """
                .formatted(ArenaNode.KEYS));
        return show(node, duration, live);
      }
    }
  }

  private static int keys() {
    return ArenaNode.GROUPS * ArenaNode.KEYS;
  }

  private static int show(ArenaNode node, Duration duration, LiveTable live)
      throws InterruptedException {
    ArenaSide cql = new ArenaSide("demo-cql", node, node.plain(), 2);
    ArenaSide shared = new ArenaSide("demo-arena", node, node.shared(), 3);
    Thread writer = new Thread(() -> write(node), "demo-writer");
    writer.setDaemon(true);
    writer.start();
    cql.start();
    shared.start();
    long askedBefore = asked(node);
    long began = System.nanoTime();
    while (System.nanoTime() - began < duration.toNanos()) {
      double seconds = (System.nanoTime() - began) / 1e9;
      ArenaSide.Counts byCql = cql.counts();
      ArenaSide.Counts byArena = shared.counts();
      live.show(
          seconds,
          table(seconds, byCql, byArena, asked(node) - askedBefore),
          String.format(
              Locale.ROOT,
              "  %3.0f s  CQL: %,d reads, p50 %.0f us   shared memory: %,d reads, p50 %.0f us",
              seconds,
              byCql.reads(),
              byCql.p50Micros(),
              byArena.reads(),
              byArena.p50Micros()));
      Thread.sleep(LOOK.toMillis());
    }
    cql.stop();
    shared.stop();
    writer.interrupt();
    writer.join();
    ArenaSide.Counts byCql = cql.counts();
    ArenaSide.Counts byArena = shared.counts();
    live.end(table(duration.toMillis() / 1e3, byCql, byArena, asked(node) - askedBefore));
    boolean isRight = byCql.halves() == 0 && byArena.halves() == 0 && byCql.reads() > 0;
    return isRight && byArena.reads() > byCql.reads() ? 0 : 1;
  }

  private static void write(ArenaNode node) {
    SplittableRandom random = new SplittableRandom(4);
    try {
      while (true) {
        try {
          node.write(random.nextInt(ArenaNode.GROUPS), random);
        } catch (RampException e) {
          // The readers count what they miss.
        }
        Thread.sleep(WRITE_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many keys the arena had no answer for, while it was filled and since. */
  private static long asked(ArenaNode node) {
    ArenaMetrics metrics = node.shared().metrics().arenas().orElseThrow();
    return metrics.misses() + metrics.torn() + metrics.silent() + metrics.withoutArena();
  }

  private static String table(
      double seconds, ArenaSide.Counts cql, ArenaSide.Counts shared, long asked) {
    return new TextTable("after %.0f s".formatted(seconds), "CQL, ONE", "shared memory")
        .row("reads", count(cql.reads()), count(shared.reads()))
        .row("p50, us", micros(cql.p50Micros()), micros(shared.p50Micros()))
        .row("p99, us", micros(cql.p99Micros()), micros(shared.p99Micros()))
        .row("halves seen", count(cql.halves()), count(shared.halves()))
        .row("without answer", count(cql.failed()), count(shared.failed()))
        .row("keys read by CQL", "all", count(asked))
        .toString();
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String micros(double time) {
    return String.format(Locale.ROOT, "%,.0f", time);
  }
}
