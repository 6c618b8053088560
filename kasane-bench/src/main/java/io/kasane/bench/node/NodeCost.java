/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What Kasane costs a node whose data fit in memory: throughput with its jars, hook and strategy
 * over throughput of a stock node, both up at once and loaded in turn.
 */
public final class NodeCost {
  private static final int MIN_WINDOW_MILLIS = 3_000;
  private static final int MAX_WINDOW_MILLIS = 7_000;
  private static final int SEED = 11;
  private static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";
  private static final String STOCK = "SizeTieredCompactionStrategy";

  private NodeCost() {}

  /**
   * Runs the comparison.
   *
   * @param arguments {@code --rounds N} (default 24, of 20 s in the mean); {@code --null} to
   *     compare stock with stock; {@code --tracked N}: the node with Kasane knows the heat of so
   *     many other rows; {@code --rows N}: so many of 200 bytes that do not compress, instead of
   *     50,000 that are a megabyte on disk; {@code --warm-up N} (default 14) rounds before the
   *     first that counts
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = Arrays.asList(arguments);
    int rounds = number(options, "--rounds", 24);
    int tracked = number(options, "--tracked", 0);
    int many = number(options, "--rows", 0);
    int warmUpRounds = number(options, "--warm-up", 14);
    MemoryLoad.Rows rows = many > 0 ? new MemoryLoad.Rows(many, false) : MemoryLoad.Rows.FEW;
    boolean nullTest = options.contains("--null");
    Path dir = Files.createTempDirectory("kasane-cost");
    try (LocalCluster stock = node(dir.resolve("stock"), false);
        LocalCluster other = node(dir.resolve("other"), !nullTest)) {
      createTable(stock, STOCK);
      createTable(other, nullTest ? STOCK : STRATEGY);
      if (tracked > 0) {
        knowRows(other.node(1), tracked);
      }
      try (CqlSession stockSession = stock.connect();
          CqlSession otherSession = other.connect()) {
        Side baseline = prepare(stock, stockSession, rows);
        Side contestant = prepare(other, otherSession, rows);
        System.out.println("warming up");
        measure(warmUpRounds, baseline, contestant);
        System.out.println("measuring");
        if (!nullTest) {
          System.out.printf(Locale.ROOT, "rows of known heat: %,d%n", knownRows(other.node(1)));
        }
        baseline.pauses.begin();
        contestant.pauses.begin();
        print(measure(rounds, baseline, contestant));
        System.out.println("pauses of stock: " + baseline.pauses.describe());
        System.out.println("pauses of the other: " + contestant.pauses.describe());
      }
    } finally {
      DirectoryUse.delete(dir);
    }
  }

  private static int number(List<String> options, String name, int otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : Integer.parseInt(options.get(at + 1));
  }

  private static void createTable(LocalCluster cluster, String strategy) {
    try (CqlSession session = cluster.connect()) {
      MemoryLoad.createTable(session, strategy);
    }
  }

  private static void knowRows(LocalNode node, int tracked) throws IOException {
    node.stop();
    KnownRows.save(node, tracked);
    node.start().waitUntilReady();
  }

  private static long knownRows(LocalNode node) throws IOException {
    String bean =
        "org.apache.cassandra.metrics:type=Kasane,keyspace="
            + MemoryLoad.KEYSPACE
            + ",scope="
            + MemoryLoad.TABLE
            + ",name=TrackedKeys";
    try (NodeJmx jmx = node.jmx()) {
      return ((Number) jmx.attribute(bean, "Value")).longValue();
    }
  }

  /** Started at once: the next one looks for a network that is still free. */
  private static LocalCluster node(Path dir, boolean kasane) {
    return LocalCluster.builder(Distribution.locate(), dir)
        .isolated()
        .each(node -> node.withKasane(kasane).jvmFlag(Pauses.flag(dir.resolve("gc.log"))))
        .build()
        .start();
  }

  /** Half of the reads find their row in an SSTable, half in the memtable. */
  private static Side prepare(LocalCluster cluster, CqlSession session, MemoryLoad.Rows rows)
      throws IOException, InterruptedException {
    MemoryLoad load = new MemoryLoad(session, rows);
    load.fill();
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      jmx.flush(MemoryLoad.KEYSPACE, MemoryLoad.TABLE);
    }
    return new Side(
        cluster.node(1).process().orElseThrow(), load, new Pauses(cluster.dir().resolve("gc.log")));
  }

  private record Side(ProcessHandle node, MemoryLoad load, Pauses pauses) {
    /** Loads the node for one window. */
    Sum window(Duration window) throws InterruptedException {
      Duration cpuBefore = node.info().totalCpuDuration().orElseThrow();
      double rate = load.run(window);
      Duration cpu = node.info().totalCpuDuration().orElseThrow().minus(cpuBefore);
      double seconds = window.toNanos() / 1e9;
      return new Sum(seconds, rate * seconds, cpu.toNanos());
    }
  }

  private record Sum(double seconds, double operations, double cpuNanos) {
    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(Sum other) {
      return new Sum(
          seconds + other.seconds, operations + other.operations, cpuNanos + other.cpuNanos);
    }

    double rate() {
      return operations / seconds;
    }

    double cpuPerOperation() {
      return cpuNanos / operations;
    }
  }

  /**
   * One round of a window of the one, two of the other, one of the first: a steady drift cancels
   * out. Which is first, and how long they last, is chance, so that no node's flushes come in step
   * with the rounds.
   */
  private static List<Round> measure(int rounds, Side baseline, Side contestant)
      throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Round> all = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Duration window = Duration.ofMillis(random.nextInt(MIN_WINDOW_MILLIS, MAX_WINDOW_MILLIS + 1));
      boolean isStockFirst = random.nextBoolean();
      Side outer = isStockFirst ? baseline : contestant;
      Side inner = isStockFirst ? contestant : baseline;
      Sum before = outer.window(window);
      Sum between = inner.window(window).plus(inner.window(window));
      Sum outside = before.plus(outer.window(window));
      Sum stock = isStockFirst ? outside : between;
      Sum other = isStockFirst ? between : outside;
      Round both = new Round(stock, other);
      all.add(both);
      System.out.printf(
          Locale.ROOT,
          "round %2d of %d: stock %,.0f ops/s, %.1f us CPU each; other %,.0f ops/s, %.1f us;"
              + " throughput %.3f, CPU %.3f%n",
          round,
          rounds,
          stock.rate(),
          stock.cpuPerOperation() / 1e3,
          other.rate(),
          other.cpuPerOperation() / 1e3,
          both.throughput(),
          both.cpu());
    }
    return all;
  }

  private record Round(Sum stock, Sum other) {
    static final Round NONE = new Round(Sum.NONE, Sum.NONE);

    Round plus(Round next) {
      return new Round(stock.plus(next.stock), other.plus(next.other));
    }

    double throughput() {
      return other.rate() / stock.rate();
    }

    double cpu() {
      return other.cpuPerOperation() / stock.cpuPerOperation();
    }
  }

  /** A flush or a merge falls into one round of some: all together say more than their mean. */
  private static void print(List<Round> rounds) {
    print("throughput", rounds.stream().mapToDouble(Round::throughput).toArray());
    print("node CPU per operation", rounds.stream().mapToDouble(Round::cpu).toArray());
    Round all = rounds.stream().reduce(Round.NONE, Round::plus);
    System.out.printf(
        Locale.ROOT,
        "all rounds together: throughput %.3f, node CPU per operation %.3f%n",
        all.throughput(),
        all.cpu());
  }

  private static void print(String what, double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double standardError = Math.sqrt(squares / (values.length - 1) / values.length);
    System.out.printf(
        Locale.ROOT,
        "%s, other over stock: median %.3f, mean %.3f +- %.3f (one standard error, %d rounds)%n",
        what,
        median(values),
        mean,
        standardError,
        values.length);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
