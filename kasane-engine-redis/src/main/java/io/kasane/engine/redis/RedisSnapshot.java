/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** What the server has now, with what was replaced since put back. */
final class RedisSnapshot implements EngineSnapshot {
  private final RedisTable table;
  private final long at;
  private boolean closed;

  RedisSnapshot(RedisTable table, long at) {
    this.table = table;
    this.at = at;
  }

  @Override
  public byte[] get(byte[] key) {
    return getAll(List.of(key)).get(0);
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    requireOpen();
    List<byte[]> values =
        new ArrayList<>(table.valuesOf(keys)); // what is kept is looked at after it
    for (int i = 0; i < values.size(); i++) {
      UndoLog.Old old = table.undo().find(at, keys.get(i));
      if (old != null) {
        values.set(i, old.value());
      }
    }
    return values;
  }

  @Override
  public EngineCursor scan(KeyRange range, boolean reversed) {
    requireOpen();
    return new RedisCursor(table, at, range, reversed);
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
      table.closed(at);
    }
  }
}
