/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.protocol.RampOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Prints what transactions of eight keys cost beside eight plain requests at the same level, on
 * three nodes with three replicas, from one thread without contention. Rounds of all kinds take
 * turns, so that what else the machine does meets all of them.
 */
public final class CostFigures {
  private static final int KEYS = 8;
  private static final int UNIVERSE = 2000;

  private final CqlSession cql;
  private final PreparedStatement read;
  private final PreparedStatement write;
  private final Random random = new Random(1);

  private CostFigures(CqlSession cql) {
    this.cql = cql;
    this.read = cql.prepare("SELECT value FROM shop.plain WHERE key = ?");
    this.write = cql.prepare("UPDATE shop.plain SET value = ? WHERE key = ?");
  }

  /** Runs with a distribution in {@code kasane.home}; takes how many turns, 1,000 by default. */
  public static void main(String[] arguments) throws Exception {
    int turns = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
    Path dir = Files.createTempDirectory("ramp-cost");
    try (LocalCluster cluster = RampNodes.of(3, dir, settings -> {}).start();
        CqlSession cql = RampNodes.connect(cluster.node(1))) {
      cql.execute(
          "CREATE KEYSPACE shop WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
      cql.execute("CREATE TABLE shop.plain (key text PRIMARY KEY, value text)");
      try (RampSession checked = RampSession.open(cql, "shop");
          RampSession unchecked =
              RampSession.builder(cql, "shop")
                  .options(RampOptions.defaults().withCheckMarkers(false))
                  .build()) {
        new CostFigures(cql).run(checked, unchecked, turns);
      }
    }
  }

  private void run(RampSession checked, RampSession unchecked, int turns) {
    RampTable<String, String> table = checked.table("ramp", Codecs.text(), Codecs.text());
    unchecked.table("ramp", Codecs.text(), Codecs.text());
    Map<String, Runnable> kinds = new LinkedHashMap<>();
    kinds.put("8 plain reads", this::plainReads);
    kinds.put("get of 8 keys", () -> checked.getAll(table, keys()));
    kinds.put("8 plain writes", this::plainWrites);
    kinds.put("put of 8 keys, unchecked", () -> put(unchecked, table));
    kinds.put("put of 8 keys, checked", () -> put(checked, table));
    measure(kinds, Math.max(500, turns / 2));
    Map<String, long[]> nanos = measure(kinds, turns);
    nanos.forEach((name, all) -> print(name, all));
    System.out.printf(
        "get/reads %.2f  put unchecked/writes %.2f  put checked/writes %.2f (of medians)%n",
        ratio(nanos, "get of 8 keys", "8 plain reads"),
        ratio(nanos, "put of 8 keys, unchecked", "8 plain writes"),
        ratio(nanos, "put of 8 keys, checked", "8 plain writes"));
    System.out.printf("second rounds: %.4f%n", checked.metrics().secondRoundShare());
  }

  private static Map<String, long[]> measure(Map<String, Runnable> kinds, int turns) {
    Map<String, long[]> nanos = new LinkedHashMap<>();
    kinds.keySet().forEach(name -> nanos.put(name, new long[turns]));
    for (int turn = 0; turn < turns; turn++) {
      for (Map.Entry<String, Runnable> kind : kinds.entrySet()) {
        long begin = System.nanoTime();
        kind.getValue().run();
        nanos.get(kind.getKey())[turn] = System.nanoTime() - begin;
      }
    }
    nanos.values().forEach(Arrays::sort);
    return nanos;
  }

  private static double ratio(Map<String, long[]> nanos, String one, String other) {
    return (double) median(nanos.get(one)) / median(nanos.get(other));
  }

  private static long median(long[] sorted) {
    return sorted[sorted.length / 2];
  }

  private static void print(String name, long[] sorted) {
    System.out.printf(
        "%-26s p10 %7.0f  p50 %7.0f  p90 %7.0f  mean %7.0f us%n",
        name,
        sorted[sorted.length / 10] / 1e3,
        median(sorted) / 1e3,
        sorted[sorted.length * 9 / 10] / 1e3,
        Arrays.stream(sorted).average().orElseThrow() / 1e3);
  }

  private List<String> keys() {
    return IntStream.range(0, KEYS).mapToObj(i -> "key " + random.nextInt(UNIVERSE)).toList();
  }

  private static String value() {
    return "v".repeat(100);
  }

  private void put(RampSession session, RampTable<String, String> table) {
    RampTransaction transaction = session.write();
    keys().forEach(key -> transaction.put(table, key, value()));
    transaction.commit();
  }

  private void plainReads() {
    List<CompletableFuture<AsyncResultSet>> all = new ArrayList<>();
    for (String key : keys()) {
      all.add(cql.executeAsync(read.bind(key).setConsistencyLevel(QUORUM)).toCompletableFuture());
    }
    all.forEach(CompletableFuture::join);
  }

  private void plainWrites() {
    List<CompletableFuture<AsyncResultSet>> all = new ArrayList<>();
    for (String key : keys()) {
      all.add(
          cql.executeAsync(write.bind(value(), key).setConsistencyLevel(QUORUM))
              .toCompletableFuture());
    }
    all.forEach(CompletableFuture::join);
  }
}
