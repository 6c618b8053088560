/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.node.LocalNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A table and what it must hold: the version written last of each row. Used by one thread. */
final class TieredRows {
  private final LocalNode node;
  private final String table;
  private final Map<Integer, Integer> expected = new TreeMap<>();
  private CqlSession session;
  private PreparedStatement insert;
  private PreparedStatement select;
  private ConsistencyLevel consistency = DefaultConsistencyLevel.LOCAL_ONE;
  private int version;

  /** Creates the table with the given compaction. */
  TieredRows(LocalNode node, CqlSession session, String table, String compaction) {
    this.node = node;
    this.session = session;
    this.table = table;
    session.execute(
        "CREATE TABLE "
            + qualified()
            + " (id int PRIMARY KEY, version int, payload text) WITH compaction = "
            + compaction);
    Tiered.awaitSchema(node);
    prepare();
  }

  /** A node takes half the time for what it need not parse. */
  private void prepare() {
    insert =
        session.prepare("INSERT INTO " + qualified() + " (id, version, payload) VALUES (?, ?, ?)");
    select = session.prepare("SELECT * FROM " + qualified() + " WHERE id = ?");
  }

  String table() {
    return table;
  }

  String qualified() {
    return Tiered.KEYSPACE + "." + table;
  }

  TableFiles files() {
    return files(node);
  }

  TableFiles files(LocalNode one) {
    return new TableFiles(one, table);
  }

  /** Goes on over another session, after a restart. */
  TieredRows over(CqlSession other) {
    session = other;
    prepare();
    return this;
  }

  /** Reads and writes at this consistency from now on. */
  TieredRows at(ConsistencyLevel level) {
    consistency = level;
    return this;
  }

  TieredRows write(int from, int to) {
    version++;
    for (int id = from; id < to; id++) {
      session.execute(
          insert.bind(id, version, payload(id, version)).setConsistencyLevel(consistency));
      expected.put(id, version);
    }
    return this;
  }

  TieredRows delete(int id) {
    session.execute(
        SimpleStatement.newInstance("DELETE FROM " + qualified() + " WHERE id = ?", id)
            .setConsistencyLevel(consistency));
    expected.remove(id);
    return this;
  }

  /** Reads the rows one by one, which makes them hot; each must be right. */
  TieredRows read(int from, int to) {
    for (int id = from; id < to; id++) {
      Row row = session.execute(select.bind(id).setConsistencyLevel(consistency)).one();
      Integer wanted = expected.get(id);
      assertThat(row != null).as("row %d of %s is there", id, table).isEqualTo(wanted != null);
      if (row != null) {
        assertThat(row.getInt("version")).as("row %d of %s", id, table).isEqualTo(wanted);
      }
    }
    return this;
  }

  /** Scans the table: all rows must be there and right. Warms none. */
  void requireAll(String after) {
    requireAll(after, consistency);
  }

  /** The same, at a consistency of its own. */
  void requireAll(String after, ConsistencyLevel level) {
    Map<Integer, Integer> found = new TreeMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance("SELECT * FROM " + qualified())
                .setConsistencyLevel(level))) {
      int id = row.getInt("id");
      found.put(id, row.getInt("version"));
      assertThat(row.getString("payload"))
          .as("payload of row %d of %s after %s", id, table, after)
          .isEqualTo(payload(id, row.getInt("version")));
    }
    assertThat(found).as("%s after %s", table, after).isEqualTo(expected);
  }

  static String payload(int id, int version) {
    return (id + "/" + version + " ").repeat(50);
  }

  static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }
}
