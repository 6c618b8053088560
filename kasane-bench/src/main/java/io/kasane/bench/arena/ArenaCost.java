/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.version.VersionCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.HdrHistogram.Histogram;

/**
 * What a read of four keys of 1 KB costs in transactions: by CQL, from the node's shared memory,
 * and as it would be without any library, each slot read and checked. One node, one client thread,
 * the three in turn.
 */
public final class ArenaCost {
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final int WARM_UPS = 2;
  private static final long MAX_NANOS = Duration.ofSeconds(10).toNanos();

  private ArenaCost() {}

  /**
   * Runs the comparison.
   *
   * @param arguments {@code --rounds N} (default 10, of nine seconds); {@code --writes P}: so many
   *     of a hundred operations write (default 0)
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = Arrays.asList(arguments);
    int rounds = number(options, "--rounds", 10);
    int writes = number(options, "--writes", 0);
    try (TemporaryPlace place = new TemporaryPlace("kasane-arena-cost");
        ArenaNode node = ArenaNode.start(place)) {
      new Comparison(node, writes).run(rounds);
    }
  }

  private static int number(List<String> options, String name, int otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : Integer.parseInt(options.get(at + 1));
  }

  /** The same reads in three ways. */
  private static final class Comparison {
    private final ArenaNode node;
    private final int writes;
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, Histogram> reads = new LinkedHashMap<>();
    private final Map<String, Double> cpuNanos = new HashMap<>();

    Comparison(ArenaNode node, int writes) {
      this.node = node;
      this.writes = writes;
    }

    void run(int rounds) throws IOException, InterruptedException {
      for (int group = 0; group < ArenaNode.GROUPS; group++) {
        node.write(group, random);
      }
      fill();
      try (ArenaReader raw = openRaw()) {
        for (int round = -WARM_UPS; round < rounds; round++) {
          measure("CQL, ONE", round, group -> node.read(node.plain(), group));
          measure("arena", round, group -> node.read(node.shared(), group));
          measure("slots, checked", round, group -> readRaw(raw, group));
          System.out.printf("round %d of %d%n", round + 1, rounds);
        }
      }
      print();
    }

    /** Until nearly every key has a slot: some sets are full. */
    private void fill() throws InterruptedException {
      int all = ArenaNode.GROUPS * ArenaNode.KEYS;
      long hits = 0;
      while (hits < 0.99 * all) {
        hits = node.fill();
        System.out.printf(Locale.ROOT, "filling: %,d of %,d keys%n", hits, all);
        Thread.sleep(200);
      }
    }

    private ArenaReader openRaw() throws IOException {
      UUID id =
          node.cql()
              .execute(
                  "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                  ArenaNode.KEYSPACE,
                  ArenaNode.TABLE)
              .one()
              .getUuid(0);
      ArenaReader raw = ArenaReader.open(node.arena(), id);
      Thread looks =
          new Thread(
              () -> {
                while (!raw.isDead()) {
                  raw.look();
                  try {
                    Thread.sleep(50);
                  } catch (InterruptedException e) {
                    return;
                  }
                }
              });
      looks.setDaemon(true);
      looks.start();
      return raw;
    }

    private static void readRaw(ArenaReader raw, int group) {
      for (long key : ArenaNode.keys(group)) {
        ArenaReader.Answer answer =
            raw.get(ArenaKey.of(Codecs.int64().encode(key).toBuffer(), ByteBuffer.allocate(0)));
        if (answer.body() != null) {
          VersionCodec.decode(answer.body());
        }
      }
    }

    private void measure(String way, int round, IntConsumer read) {
      ProcessHandle process = node.process();
      Histogram times =
          round < 0
              ? new Histogram(MAX_NANOS, 3)
              : reads.computeIfAbsent(way, any -> new Histogram(MAX_NANOS, 3));
      long before = times.getTotalCount();
      long cpuBefore = process.info().totalCpuDuration().orElseThrow().toNanos();
      long ends = System.nanoTime() + WINDOW.toNanos();
      while (System.nanoTime() < ends) {
        int group = random.nextInt(ArenaNode.GROUPS);
        if (random.nextInt(100) < writes) {
          node.write(group, random);
        } else {
          long began = System.nanoTime();
          read.accept(group);
          times.recordValue(Math.min(MAX_NANOS, System.nanoTime() - began));
        }
      }
      if (round >= 0) {
        long cpu = process.info().totalCpuDuration().orElseThrow().toNanos() - cpuBefore;
        cpuNanos.merge(way, (double) cpu, Double::sum);
        if (times.getTotalCount() == before) {
          throw new IllegalStateException("no reads of " + way);
        }
      }
    }

    private void print() {
      System.out.printf(
          Locale.ROOT,
          "%n%d %% writes%n| reads of %d keys of 1 KB | p50 us | p99 us | a second | node's CPU us a"
              + " read |%n|-|-|-|-|-|%n",
          writes,
          ArenaNode.KEYS);
      reads.forEach(
          (way, times) ->
              System.out.printf(
                  Locale.ROOT,
                  "| %s | %.1f | %.1f | %,.0f | %.2f |%n",
                  way,
                  times.getValueAtPercentile(50) / 1e3,
                  times.getValueAtPercentile(99) / 1e3,
                  1e9 / times.getMean(),
                  cpuNanos.get(way) / 1e3 / times.getTotalCount()));
      System.out.printf(
          Locale.ROOT,
          "of the keys %,d from shared memory, %,d by CQL%n",
          node.shared().metrics().arenas().orElseThrow().hits(),
          node.shared().metrics().arenas().orElseThrow().misses());
    }
  }
}
