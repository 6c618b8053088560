/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mariadb.jdbc.Connection;

/** Values by their keys. */
final class PointReads {
  /** What one statement asks for. */
  static final int MAX_KEYS = 128;

  private PointReads() {}

  /** Returns the value of each key, in their order; null where there is none. */
  static List<byte[]> of(Connection connection, String table, List<byte[]> keys)
      throws SQLException {
    Map<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    List<byte[]> asked =
        keys.stream()
            .filter(key -> key.length > 0 && key.length <= InnodbEngine.KEY_BYTES)
            .toList();
    for (int from = 0; from < asked.size(); from += MAX_KEYS) {
      select(
          connection, table, asked.subList(from, Math.min(asked.size(), from + MAX_KEYS)), found);
    }
    List<byte[]> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(found.get(key)));
    return values;
  }

  private static void select(
      Connection connection, String table, List<byte[]> keys, Map<byte[], byte[]> found)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT k, v FROM "
                + table
                + " WHERE k IN ("
                + TableChanges.times(keys.size(), "?")
                + ")")) {
      InnodbEngine.bind(select, keys);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.put(rows.getBytes(1), rows.getBytes(2));
        }
      }
    }
  }
}
