/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.use.Family;
import io.kasane.ramp.cql.use.ForeignKey;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.version.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Orders and their lines, in two tables with a foreign key. The order says how many pieces there
 * are, so a reader notices a line that is missing. Each order has one writer at a time: the number
 * of pieces is an aggregate, which transactions do not keep for several.
 */
public final class OrderWithLines extends Example {
  static final int ORDERS = 8;
  static final int MAX_LINES = 5;
  static final int MAX_PIECES = 9;

  /** A line of an order, in the table as "order:pieces". */
  record Line(int order, int pieces) {
    static final RampCodec<Line> CODEC =
        RampCodec.of(
            line -> Bytes.utf8(line.order + ":" + line.pieces),
            bytes -> {
              String[] parts = bytes.toUtf8().split(":", 2);
              return new Line(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
            });
  }

  /** Runs it. */
  public static void main(String[] args) {
    run(new OrderWithLines(), args);
  }

  @Override
  String what() {
    return "Orders are replaced with all their lines; readers count the pieces.";
  }

  @Override
  Contest transactions(RampSession session) {
    return new Orders(session);
  }

  @Override
  Contest batches(CqlSession cql) {
    return new OrderWithLinesBatches(cql);
  }

  /** Of the orders that this writer changes. */
  static int order(int writer, RandomGenerator random) {
    return random.nextInt(ORDERS / Race.WRITERS) * Race.WRITERS + writer;
  }

  private static final class Orders implements Contest {
    private final RampSession session;
    private final ForeignKey<Integer, Integer, Integer, Line> lines;

    Orders(RampSession session) {
      this.session = session;
      RampTable<Integer, Integer> orders = session.table("orders", Codecs.int32(), Codecs.int32());
      this.lines =
          ForeignKey.open(
              session,
              orders,
              RowTable.of("lines", Codecs.int32(), Line.CODEC),
              "lines_of_orders",
              Line::order);
    }

    @Override
    public void write(int writer, RandomGenerator random) {
      int order = order(writer, random);
      Map<Integer, Line> its = new HashMap<>();
      for (int line = random.nextInt(MAX_LINES); line >= 0; line--) {
        its.put(order * MAX_LINES + line, new Line(order, 1 + random.nextInt(MAX_PIECES)));
      }
      lines.put(session, order, its.values().stream().mapToInt(Line::pieces).sum(), its);
    }

    @Override
    public boolean readsWhole(RandomGenerator random) {
      Optional<Family<Integer, Integer, Line>> order =
          lines.family(session, random.nextInt(ORDERS));
      return order.isEmpty()
          || order.get().parent()
              == order.get().children().values().stream().mapToInt(Line::pieces).sum();
    }
  }
}
