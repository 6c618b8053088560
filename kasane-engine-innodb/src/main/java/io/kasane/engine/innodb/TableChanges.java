/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mariadb.jdbc.Connection;

/**
 * One statement that changes a table: some rows, and not more bytes than a server takes at once.
 *
 * @param sql with places for the bytes
 * @param bytes keys and values to bind
 */
record TableChanges(String sql, List<byte[]> bytes) {
  private static final int MAX_ROWS = 128;
  private static final long MAX_BYTES = 4L << 20;

  /**
   * Returns the statements for changes that do not meet.
   *
   * @param changes by key the value to put; null to delete it
   */
  static List<TableChanges> of(String table, Map<byte[], byte[]> changes) {
    List<TableChanges> statements = new ArrayList<>();
    List<byte[]> puts = new ArrayList<>();
    List<byte[]> deletes = new ArrayList<>();
    long putBytes = 0;
    for (Map.Entry<byte[], byte[]> change : changes.entrySet()) {
      if (change.getValue() == null) {
        deletes.add(change.getKey());
        if (deletes.size() == MAX_ROWS) {
          statements.add(deleting(table, deletes));
          deletes = new ArrayList<>();
        }
      } else {
        puts.add(change.getKey());
        puts.add(change.getValue());
        putBytes += change.getKey().length + change.getValue().length;
        if (puts.size() == 2 * MAX_ROWS || putBytes > MAX_BYTES) {
          statements.add(putting(table, puts));
          puts = new ArrayList<>();
          putBytes = 0;
        }
      }
    }
    if (!deletes.isEmpty()) {
      statements.add(deleting(table, deletes));
    }
    if (!puts.isEmpty()) {
      statements.add(putting(table, puts));
    }
    return statements;
  }

  private static TableChanges putting(String table, List<byte[]> entries) {
    return new TableChanges(
        "INSERT INTO "
            + table
            + " (k, v) VALUES "
            + times(entries.size() / 2, "(?,?)")
            + " ON DUPLICATE KEY UPDATE v = VALUES(v)",
        entries);
  }

  private static TableChanges deleting(String table, List<byte[]> keys) {
    return new TableChanges(
        "DELETE FROM " + table + " WHERE k IN (" + times(keys.size(), "?") + ")", keys);
  }

  static String times(int count, String place) {
    return Stream.generate(() -> place).limit(count).collect(Collectors.joining(","));
  }

  /** Makes them. */
  Void make(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      InnodbEngine.bind(statement, bytes);
      statement.execute();
      return null;
    }
  }
}
