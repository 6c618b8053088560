/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Many rows a partition and a static column; rows, ranges of rows and partitions are deleted. */
final class CheckedPartitions extends CheckedTable<CheckedPartitions.State> {
  private static final int CLUSTERINGS = 24;
  private static final int MAX_BYTES = 300;

  private int nextVersion = 1;
  private PreparedStatement insert;
  private PreparedStatement setStatic;
  private PreparedStatement deleteStatic;
  private PreparedStatement deleteRow;
  private PreparedStatement deleteRange;
  private PreparedStatement deletePartition;
  private PreparedStatement select;

  CheckedPartitions(String name, int keys) {
    super(name, keys, new State(0, Map.of()));
  }

  /** The static column (0 = null) and the version of each row. */
  record State(int shared, Map<Integer, Integer> rows) {}

  @Override
  String columns() {
    return "pk int, ck int, s int static, v int, pad blob, PRIMARY KEY (pk, ck)";
  }

  @Override
  void prepare(CqlSession open) {
    String table = qualifiedName();
    insert = open.prepare("INSERT INTO " + table + " (pk, ck, v, pad) VALUES (?, ?, ?, ?)");
    setStatic = open.prepare("UPDATE " + table + " SET s = ? WHERE pk = ?");
    deleteStatic = open.prepare("DELETE s FROM " + table + " WHERE pk = ?");
    deleteRow = open.prepare("DELETE FROM " + table + " WHERE pk = ? AND ck = ?");
    deleteRange = open.prepare("DELETE FROM " + table + " WHERE pk = ? AND ck >= ? AND ck < ?");
    deletePartition = open.prepare("DELETE FROM " + table + " WHERE pk = ?");
    select = open.prepare("SELECT pk, ck, s, v, pad FROM " + table + " WHERE pk = ?");
  }

  @Override
  Change<State> change(int key, State now, Random random) {
    TreeMap<Integer, Integer> rows = new TreeMap<>(now.rows);
    int clustering = random.nextInt(CLUSTERINGS);
    int dice = random.nextInt(100);
    if (dice < 4) {
      return new Change<>(deletePartition.bind(key), new State(0, Map.of()));
    }
    if (dice < 12) {
      int end = clustering + 1 + random.nextInt(8);
      rows.subMap(clustering, end).clear();
      return new Change<>(deleteRange.bind(key, clustering, end), new State(now.shared, rows));
    }
    if (dice < 22) {
      rows.remove(clustering);
      return new Change<>(deleteRow.bind(key, clustering), new State(now.shared, rows));
    }
    if (dice < 25) {
      return new Change<>(deleteStatic.bind(key), new State(0, rows));
    }
    int version = nextVersion++;
    if (dice < 35) {
      return new Change<>(setStatic.bind(version, key), new State(version, rows));
    }
    rows.put(clustering, version);
    ByteBuffer pad = ByteBuffer.wrap(pad(clustering, version, MAX_BYTES));
    return new Change<>(insert.bind(key, clustering, version, pad), new State(now.shared, rows));
  }

  @Override
  BoundStatement read(int key) {
    return select.bind(key);
  }

  @Override
  String scan() {
    return "SELECT pk, ck, s, v, pad FROM " + qualifiedName();
  }

  @Override
  int keyOf(Row row) {
    return row.getInt("pk");
  }

  @Override
  State decode(int key, List<Row> rows) {
    int shared = 0;
    TreeMap<Integer, Integer> versions = new TreeMap<>();
    for (Row row : rows) {
      shared = row.getInt("s");
      if (row.isNull("ck")) {
        continue;
      }
      int clustering = row.getInt("ck");
      int version = row.getInt("v");
      ByteBuffer pad = ByteBuffer.wrap(pad(clustering, version, MAX_BYTES));
      if (!pad.equals(row.getByteBuffer("pad"))) {
        throw new AssertionError(
            qualifiedName() + " key " + key + "/" + clustering + ": not as written: " + version);
      }
      versions.put(clustering, version);
    }
    return new State(shared, versions);
  }
}
