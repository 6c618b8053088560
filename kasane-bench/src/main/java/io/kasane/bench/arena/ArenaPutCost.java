/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.bench.lab.TemporaryPlace;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What an arena costs writes of its table, and other tables of its node: two nodes that differ by
 * the arena alone, one client thread, windows in turn. The ratio of each pair of windows is one
 * trial.
 */
public final class ArenaPutCost {
  private static final Duration WINDOW = Duration.ofSeconds(2);
  private static final int WARM_UPS = 3;
  private static final int PLAIN_ROWS = 10_000;
  private static final int VALUE_BYTES = 1_000;

  private ArenaPutCost() {}

  /**
   * Runs the comparison.
   *
   * @param arguments how many rounds, of twelve seconds each (20)
   */
  public static void main(String[] arguments) {
    int rounds = arguments.length == 0 ? 20 : Integer.parseInt(arguments[0]);
    try (TemporaryPlace place = new TemporaryPlace("kasane-arena-cost");
        ArenaNode with = ArenaNode.start(place);
        ArenaNode without = ArenaNode.startWithout(place)) {
      Side one = new Side(with);
      Side other = new Side(without);
      with.fill();
      Map<String, List<Double>> ratios = new LinkedHashMap<>();
      for (int round = -WARM_UPS; round < rounds; round++) {
        for (String what : List.of("put of 4 keys", "INSERT", "SELECT")) {
          boolean isFirst = round % 2 == 0;
          double first = (isFirst ? one : other).meanNanos(what);
          double second = (isFirst ? other : one).meanNanos(what);
          if (round >= 0) {
            ratios
                .computeIfAbsent(what, any -> new ArrayList<>())
                .add(isFirst ? first / second : second / first);
          }
        }
        System.out.printf("round %d of %d%n", round + 1, rounds);
      }
      print(ratios, with);
    }
  }

  private static void print(Map<String, List<Double>> ratios, ArenaNode with) {
    System.out.printf("%n| time with an arena / without | mean | standard error |%n|-|-|-|%n");
    ratios.forEach(
        (what, all) -> {
          double mean = all.stream().mapToDouble(ratio -> ratio).average().orElseThrow();
          double squares = all.stream().mapToDouble(ratio -> (ratio - mean) * (ratio - mean)).sum();
          double error = Math.sqrt(squares / Math.max(1, all.size() - 1) / all.size());
          System.out.printf(Locale.ROOT, "| %s | %.3f | %.3f |%n", what, mean, error);
        });
    System.out.println(
        with.cql()
            .execute("SELECT keys, updates FROM kasane_views.arenas")
            .one()
            .getFormattedContents());
  }

  /** One of the nodes, with rows to write and read. */
  private static final class Side {
    private final ArenaNode node;
    private final CqlSession cql;
    private final PreparedStatement insert;
    private final PreparedStatement select;
    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] value = new byte[VALUE_BYTES];

    Side(ArenaNode node) {
      this.node = node;
      this.cql = node.cql();
      cql.execute(
          "CREATE TABLE " + ArenaNode.KEYSPACE + ".plain (id bigint PRIMARY KEY, value blob)");
      this.insert =
          cql.prepare("INSERT INTO " + ArenaNode.KEYSPACE + ".plain (id, value) VALUES (?, ?)");
      this.select = cql.prepare("SELECT value FROM " + ArenaNode.KEYSPACE + ".plain WHERE id = ?");
      for (int group = 0; group < ArenaNode.GROUPS; group++) {
        node.write(group, random);
      }
      for (long id = 0; id < PLAIN_ROWS; id++) {
        insert(id);
      }
    }

    private void insert(long id) {
      random.nextBytes(value);
      cql.execute(insert.bind(id, ByteBuffer.wrap(value.clone())));
    }

    double meanNanos(String what) {
      long operations = 0;
      long began = System.nanoTime();
      long now = began;
      while (now - began < WINDOW.toNanos()) {
        operate(what);
        operations++;
        now = System.nanoTime();
      }
      return (double) (now - began) / operations;
    }

    private void operate(String what) {
      switch (what) {
        case "INSERT" -> insert(random.nextInt(PLAIN_ROWS));
        case "SELECT" -> cql.execute(select.bind((long) random.nextInt(PLAIN_ROWS)));
        default -> node.write(random.nextInt(ArenaNode.GROUPS), random);
      }
    }
  }
}
