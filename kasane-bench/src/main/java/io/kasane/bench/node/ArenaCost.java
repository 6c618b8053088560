/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampSessionBuilder;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.VersionCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final int GROUPS = 5_000;
  private static final int KEYS = 4;
  private static final int VALUE_BYTES = 1_000;
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final int WARM_UPS = 2;
  private static final long MAX_NANOS = Duration.ofSeconds(10).toNanos();
  private static final String KEYSPACE = "cost";
  private static final String TABLE = "t";

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
    Path dir = Files.createTempDirectory("kasane-arena-cost");
    Path arenas = Files.createTempDirectory(memory(), "kasane-arena-cost");
    try (LocalCluster cluster = node(dir, arenas);
        CqlSession cql = cluster.connect()) {
      cql.execute(
          "CREATE KEYSPACE "
              + KEYSPACE
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
      try (RampSession plain = session(cql).build();
          RampSession shared = session(cql).arenas(arenas).build()) {
        new Comparison(cluster, cql, arenas, plain, shared, writes).run(rounds);
      }
    } finally {
      DirectoryUse.delete(dir);
      DirectoryUse.delete(arenas);
    }
  }

  private static int number(List<String> options, String name, int otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : Integer.parseInt(options.get(at + 1));
  }

  private static Path memory() {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static LocalCluster node(Path dir, Path arenas) {
    return LocalCluster.builder(Distribution.locate(), dir)
        .isolated()
        .each(
            node ->
                node.heap("1g")
                    .kasaneYaml(
                        "arenas",
                        Map.of(
                            "directory",
                            arenas.toString(),
                            "tables",
                            Map.of(KEYSPACE + "." + TABLE, "128MiB"))))
        .build()
        .start();
  }

  private static RampSessionBuilder session(CqlSession cql) {
    return RampSession.builder(cql, KEYSPACE)
        .levels(levels -> levels.withFirstRound(ConsistencyLevel.ONE));
  }

  /** The same reads in three ways. */
  private static final class Comparison {
    private final LocalCluster cluster;
    private final CqlSession cql;
    private final Path arenas;
    private final RampSession plain;
    private final RampSession shared;
    private final int writes;
    private final RampTable<Long, Bytes> table;
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, Histogram> reads = new LinkedHashMap<>();
    private final Map<String, Double> cpuNanos = new HashMap<>();

    Comparison(
        LocalCluster cluster,
        CqlSession cql,
        Path arenas,
        RampSession plain,
        RampSession shared,
        int writes) {
      this.cluster = cluster;
      this.cql = cql;
      this.arenas = arenas;
      this.plain = plain;
      this.shared = shared;
      this.writes = writes;
      this.table = shared.table(TABLE, Codecs.int64(), Codecs.blob());
      plain.table(TABLE, Codecs.int64(), Codecs.blob());
    }

    void run(int rounds) throws IOException, InterruptedException {
      for (int group = 0; group < GROUPS; group++) {
        write(group);
      }
      fill();
      try (ArenaReader raw = openRaw()) {
        for (int round = -WARM_UPS; round < rounds; round++) {
          measure("CQL, ONE", round, group -> plain.newSession().getAll(table, keys(group)));
          measure("arena", round, group -> shared.newSession().getAll(table, keys(group)));
          measure("slots, checked", round, group -> readRaw(raw, group));
          System.out.printf("round %d of %d%n", round + 1, rounds);
        }
      }
      print();
    }

    private void write(int group) {
      Map<Long, Bytes> values = new HashMap<>();
      for (long key : keys(group)) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        values.put(key, Bytes.copyOf(ByteBuffer.wrap(value)));
      }
      plain.newSession().put(table, values);
    }

    private static List<Long> keys(int group) {
      List<Long> keys = new ArrayList<>(KEYS);
      for (int i = 0; i < KEYS; i++) {
        keys.add((long) group * KEYS + i);
      }
      return keys;
    }

    /** Until nearly every key has a slot: some sets are full. */
    private void fill() throws InterruptedException {
      long hits = 0;
      while (hits < 0.99 * GROUPS * KEYS) {
        long before = shared.metrics().arenas().orElseThrow().hits();
        for (int group = 0; group < GROUPS; group++) {
          shared.newSession().getAll(table, keys(group));
        }
        hits = shared.metrics().arenas().orElseThrow().hits() - before;
        System.out.printf(Locale.ROOT, "filling: %,d of %,d keys%n", hits, GROUPS * KEYS);
        Thread.sleep(200);
      }
    }

    private ArenaReader openRaw() throws IOException {
      UUID id =
          cql.execute(
                  "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                  KEYSPACE,
                  TABLE)
              .one()
              .getUuid(0);
      ArenaReader raw = ArenaReader.open(arenas.resolve(KEYSPACE + "." + TABLE + ".arena"), id);
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
      for (long key : keys(group)) {
        ArenaReader.Answer answer =
            raw.get(ArenaKey.of(Codecs.int64().encode(key).toBuffer(), ByteBuffer.allocate(0)));
        if (answer.body() != null) {
          VersionCodec.decode(answer.body());
        }
      }
    }

    private void measure(String way, int round, IntConsumer read) {
      ProcessHandle node = cluster.node(1).process().orElseThrow();
      Histogram times =
          round < 0
              ? new Histogram(MAX_NANOS, 3)
              : reads.computeIfAbsent(way, any -> new Histogram(MAX_NANOS, 3));
      long before = times.getTotalCount();
      long cpuBefore = node.info().totalCpuDuration().orElseThrow().toNanos();
      long ends = System.nanoTime() + WINDOW.toNanos();
      while (System.nanoTime() < ends) {
        int group = random.nextInt(GROUPS);
        if (random.nextInt(100) < writes) {
          write(group);
        } else {
          long began = System.nanoTime();
          read.accept(group);
          times.recordValue(Math.min(MAX_NANOS, System.nanoTime() - began));
        }
      }
      if (round >= 0) {
        long cpu = node.info().totalCpuDuration().orElseThrow().toNanos() - cpuBefore;
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
          KEYS);
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
          shared.metrics().arenas().orElseThrow().hits(),
          shared.metrics().arenas().orElseThrow().misses());
    }
  }
}
