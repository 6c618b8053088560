/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.sql.SQLException;
import java.util.List;
import org.mariadb.jdbc.Connection;

/** A transaction on a connection of its own, which sees what there was when it began. */
final class InnodbSnapshot implements EngineSnapshot {
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
    return table.qualifiedName();
  }

  @Override
  public byte[] get(byte[] key) {
    return getAll(List.of(key)).get(0);
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    return read(c -> PointReads.of(c, sqlName(), keys));
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
