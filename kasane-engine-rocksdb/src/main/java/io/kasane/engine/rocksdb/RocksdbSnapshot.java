/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.Collections;
import java.util.List;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/** A snapshot of the database, for reading one column family. */
final class RocksdbSnapshot implements EngineSnapshot {
  private final RocksdbEngine engine;
  private final RocksdbTable table;
  private final ColumnFamilyHandle family;
  private final Snapshot snapshot;
  private final ReadOptions options;
  private boolean closed;

  RocksdbSnapshot(RocksdbEngine engine, RocksdbTable table, ColumnFamilyHandle family) {
    this.engine = engine;
    this.table = table;
    this.family = family;
    this.snapshot = engine.db().getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
  }

  @Override
  public byte[] get(byte[] key) {
    requireOpen();
    return RocksdbErrors.calling(engine.name(), () -> engine.db().get(family, options, key));
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    requireOpen();
    if (keys.isEmpty()) {
      return List.of(); // an assertion of RocksDB's own
    }
    List<byte[]> values =
        RocksdbErrors.calling(
            engine.name(),
            () ->
                engine
                    .db()
                    .multiGetAsList(options, Collections.nCopies(keys.size(), family), keys));
    // Null also stands for what could not be read: to take it for missing would lose it.
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i) == null) {
        values.set(i, get(keys.get(i)));
      }
    }
    return values;
  }

  @Override
  public EngineCursor scan(KeyRange range, boolean reversed) {
    requireOpen();
    return new RocksdbCursor(engine, family, snapshot, range, reversed);
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
      options.close();
      engine.db().releaseSnapshot(snapshot);
      table.closed();
    }
  }
}
