/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What Kasane costs a node whose data fit in memory: throughput with its jars, hook and strategy
 * over throughput of a stock node, both up at once and loaded in turn.
 */
public final class NodeCost {
  private static final Duration WARM_UP = Duration.ofSeconds(50);
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";
  private static final String STOCK = "SizeTieredCompactionStrategy";

  private NodeCost() {}

  /**
   * Runs the comparison.
   *
   * @param arguments {@code --rounds N} (default 8); {@code --null} to compare stock with stock
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = Arrays.asList(arguments);
    int at = options.indexOf("--rounds");
    int rounds = at < 0 ? 8 : Integer.parseInt(options.get(at + 1));
    boolean nullTest = options.contains("--null");
    Path dir = Files.createTempDirectory("kasane-cost");
    try (LocalCluster stock = node(dir.resolve("stock"), false);
        LocalCluster other = node(dir.resolve("other"), !nullTest)) {
      try (CqlSession stockSession = stock.connect();
          CqlSession otherSession = other.connect()) {
        MemoryLoad baseline = prepare(stock, stockSession, STOCK);
        MemoryLoad contestant = prepare(other, otherSession, nullTest ? STOCK : STRATEGY);
        print(measure(rounds, baseline, contestant));
      }
    } finally {
      DirectoryUse.delete(dir);
    }
  }

  /** Started at once: the next one looks for a network that is still free. */
  private static LocalCluster node(Path dir, boolean kasane) {
    return LocalCluster.builder(Distribution.locate(), dir)
        .isolated()
        .each(node -> node.withKasane(kasane))
        .build()
        .start();
  }

  /** Half of the reads find their row in an SSTable, half in the memtable. */
  private static MemoryLoad prepare(LocalCluster cluster, CqlSession session, String strategy)
      throws IOException, InterruptedException {
    MemoryLoad load = MemoryLoad.create(session, strategy);
    load.fill();
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      jmx.flush(MemoryLoad.KEYSPACE, MemoryLoad.TABLE);
    }
    load.run(WARM_UP);
    return load;
  }

  private static List<double[]> measure(int rounds, MemoryLoad baseline, MemoryLoad contestant)
      throws InterruptedException {
    List<double[]> results = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      double[] rates = new double[2];
      boolean baselineFirst = round % 2 == 0;
      for (int i = 0; i < 2; i++) {
        boolean isBaseline = (i == 0) == baselineFirst;
        rates[isBaseline ? 0 : 1] = (isBaseline ? baseline : contestant).run(WINDOW);
      }
      results.add(rates);
      System.out.printf(
          Locale.ROOT,
          "round %2d of %d: stock %,.0f ops/s, other %,.0f ops/s, ratio %.3f%n",
          round + 1,
          rounds,
          rates[0],
          rates[1],
          rates[1] / rates[0]);
    }
    return results;
  }

  private static void print(List<double[]> results) {
    System.out.printf(
        Locale.ROOT,
        "median: stock %,.0f ops/s, other %,.0f ops/s, ratio %.3f%n",
        median(results.stream().mapToDouble(r -> r[0]).toArray()),
        median(results.stream().mapToDouble(r -> r[1]).toArray()),
        median(results.stream().mapToDouble(r -> r[1] / r[0]).toArray()));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
