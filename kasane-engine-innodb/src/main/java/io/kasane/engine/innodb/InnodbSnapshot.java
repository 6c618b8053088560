/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mariadb.jdbc.Connection;

/** A transaction on a connection of its own, which sees what there was when it began. */
final class InnodbSnapshot implements EngineSnapshot {
  private static final int MAX_KEYS = 128;

  private final InnodbTable table;
  private final Connection connection;
  private boolean closed;

  InnodbSnapshot(InnodbTable table, Connection connection) {
    this.table = table;
    this.connection = connection;
  }

  /** A read of it that may fail. */
  @FunctionalInterface
  interface Read<T> {
    T from(Connection connection) throws SQLException;
  }

  <T> T read(Read<T> read) {
    requireOpen();
    try {
      return read.from(connection);
    } catch (SQLException e) {
      throw SqlErrors.of(table.engineName(), e);
    }
  }

  String sqlName() {
    return MariadbServer.SCHEMA + "." + table.sqlName();
  }

  @Override
  public byte[] get(byte[] key) {
    requireOpen();
    if (key.length == 0 || key.length > InnodbEngine.KEY_BYTES) {
      return null;
    }
    return read(
        c -> {
          try (PreparedStatement select =
              c.prepareStatement("SELECT v FROM " + sqlName() + " WHERE k = ?")) {
            select.setBytes(1, key);
            try (ResultSet found = select.executeQuery()) {
              return found.next() ? found.getBytes(1) : null;
            }
          }
        });
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    requireOpen();
    Map<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    List<byte[]> asked =
        keys.stream().filter(key -> key.length <= InnodbEngine.KEY_BYTES).distinct().toList();
    for (int from = 0; from < asked.size(); from += MAX_KEYS) {
      select(asked.subList(from, Math.min(asked.size(), from + MAX_KEYS)), found);
    }
    List<byte[]> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(found.get(key)));
    return values;
  }

  private void select(List<byte[]> keys, Map<byte[], byte[]> found) {
    read(
        c -> {
          try (PreparedStatement select =
              c.prepareStatement(
                  "SELECT k, v FROM "
                      + sqlName()
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
          return null;
        });
  }

  @Override
  public EngineCursor scan(KeyRange range, boolean reversed) {
    requireOpen();
    return new InnodbCursor(this, range, reversed);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      table.closed(connection);
    }
  }
}
