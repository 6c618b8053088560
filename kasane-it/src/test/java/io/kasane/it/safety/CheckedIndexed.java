/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Random;

/** Rows whose columns all have storage-attached indexes, each as large as its column. */
final class CheckedIndexed extends CheckedTable<Integer> {
  private static final List<String> COLUMNS = List.of("a", "b", "c", "d");
  private static final int MAX_CHARACTERS = 120;

  private int nextVersion = 1;
  private PreparedStatement insert;
  private PreparedStatement select;

  CheckedIndexed(String name, int keys) {
    super(name, keys, 0);
  }

  @Override
  String columns() {
    return "id int PRIMARY KEY, v int, a text, b text, c text, d text";
  }

  /** To be called once the table is there. */
  void createIndexes(CqlSession session) {
    for (String column : COLUMNS) {
      session.execute("CREATE INDEX ON " + qualifiedName() + " (" + column + ") USING 'sai'");
    }
  }

  @Override
  void prepare(CqlSession open) {
    insert =
        open.prepare(
            "INSERT INTO " + qualifiedName() + " (id, v, a, b, c, d) VALUES (?,?,?,?,?,?)");
    select = open.prepare("SELECT id, v, a, b, c, d FROM " + qualifiedName() + " WHERE id = ?");
  }

  @Override
  Change<Integer> change(int key, Integer now, Random random) {
    int version = nextVersion++;
    BoundStatement statement =
        insert.bind(
            key,
            version,
            text(key, version, 0),
            text(key, version, 1),
            text(key, version, 2),
            text(key, version, 3));
    return new Change<>(statement, version);
  }

  private static String text(int key, int version, int column) {
    Random random = new Random(key * 31L + version * 7L + column);
    return random
        .ints(1 + random.nextInt(MAX_CHARACTERS), '0', 'z')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Override
  BoundStatement read(int key) {
    return select.bind(key);
  }

  @Override
  String scan() {
    return "SELECT id, v, a, b, c, d FROM " + qualifiedName();
  }

  @Override
  int keyOf(Row row) {
    return row.getInt("id");
  }

  @Override
  Integer decode(int key, List<Row> rows) {
    if (rows.isEmpty()) {
      return 0;
    }
    int version = rows.get(0).getInt("v");
    for (int column = 0; column < COLUMNS.size(); column++) {
      if (!text(key, version, column).equals(rows.get(0).getString(COLUMNS.get(column)))) {
        throw new AssertionError(qualifiedName() + " key " + key + ": not as written: " + version);
      }
    }
    return version;
  }
}
