/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** {@link OrderWithLines} with plain tables. */
final class OrderWithLinesBatches implements Contest {
  private final PlainCql cql;
  private final PreparedStatement putOrder;
  private final PreparedStatement putLine;
  private final PreparedStatement deleteLine;
  private final PreparedStatement order;
  private final PreparedStatement lines;

  OrderWithLinesBatches(CqlSession session) {
    cql = new PlainCql(session);
    cql.table("plain_orders", "id int PRIMARY KEY, pieces int");
    cql.table("plain_lines", "parent int, line int, pieces int, PRIMARY KEY (parent, line)");
    putOrder = cql.prepare("INSERT INTO %s.plain_orders (id, pieces) VALUES (?, ?)");
    putLine = cql.prepare("INSERT INTO %s.plain_lines (parent, line, pieces) VALUES (?, ?, ?)");
    deleteLine = cql.prepare("DELETE FROM %s.plain_lines WHERE parent = ? AND line = ?");
    order = cql.prepare("SELECT pieces FROM %s.plain_orders WHERE id = ?");
    lines = cql.prepare("SELECT pieces FROM %s.plain_lines WHERE parent = ?");
  }

  @Override
  public void write(int writer, RandomGenerator random) {
    int id = OrderWithLines.order(writer, random);
    int last = random.nextInt(OrderWithLines.MAX_LINES);
    int sum = 0;
    List<BoundStatement> statements = new ArrayList<>();
    for (int line = 0; line < OrderWithLines.MAX_LINES; line++) {
      if (line <= last) {
        int pieces = 1 + random.nextInt(OrderWithLines.MAX_PIECES);
        sum += pieces;
        statements.add(putLine.bind(id, line, pieces));
      } else {
        statements.add(deleteLine.bind(id, line));
      }
    }
    statements.add(putOrder.bind(id, sum));
    cql.batch(statements);
  }

  @Override
  public boolean readsWhole(RandomGenerator random) {
    int id = random.nextInt(OrderWithLines.ORDERS);
    var rows = cql.select(order.bind(id), lines.bind(id));
    int said = rows.get(0).stream().mapToInt(row -> row.getInt("pieces")).sum();
    return said == rows.get(1).stream().mapToInt(row -> row.getInt("pieces")).sum();
  }
}
