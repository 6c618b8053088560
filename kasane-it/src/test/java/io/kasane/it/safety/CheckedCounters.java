/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Random;

/** Counters: every acknowledged increment counts once. */
final class CheckedCounters extends CheckedTable<Long> {
  private PreparedStatement add;
  private PreparedStatement select;

  CheckedCounters(String name, int keys) {
    super(name, keys, 0L);
  }

  @Override
  String columns() {
    return "id int PRIMARY KEY, c counter";
  }

  @Override
  void prepare(CqlSession open) {
    add = open.prepare("UPDATE " + qualifiedName() + " SET c = c + ? WHERE id = ?");
    select = open.prepare("SELECT id, c FROM " + qualifiedName() + " WHERE id = ?");
  }

  @Override
  Change<Long> change(int key, Long now, Random random) {
    long amount = 1L + random.nextInt(9);
    return new Change<>(add.bind(amount, key), now + amount);
  }

  @Override
  BoundStatement read(int key) {
    return select.bind(key);
  }

  @Override
  String scan() {
    return "SELECT id, c FROM " + qualifiedName();
  }

  @Override
  int keyOf(Row row) {
    return row.getInt("id");
  }

  @Override
  Long decode(int key, List<Row> rows) {
    return rows.isEmpty() ? 0L : rows.get(0).getLong("c");
  }
}
