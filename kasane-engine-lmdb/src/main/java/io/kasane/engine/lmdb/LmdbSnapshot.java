/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.lmdbjava.Dbi;
import org.lmdbjava.Txn;

/** A read transaction. */
final class LmdbSnapshot implements EngineSnapshot {
  private final LmdbEngine engine;
  private final Dbi<DirectBuffer> database;
  private final Txn<DirectBuffer> txn;
  private boolean closed;

  LmdbSnapshot(LmdbEngine engine, Dbi<DirectBuffer> database, Txn<DirectBuffer> txn) {
    this.engine = engine;
    this.database = database;
    this.txn = txn;
  }

  @Override
  public byte[] get(byte[] key) {
    requireOpen();
    if (key.length == 0 || key.length > KeyBuffer.MAX_BYTES) {
      return null;
    }
    return LmdbErrors.calling(
        engine.name(),
        () -> {
          DirectBuffer value = database.get(txn, KeyBuffer.of(key));
          return value == null ? null : KeyBuffer.copy(value);
        });
  }

  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    List<byte[]> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(get(key)));
    return values;
  }

  @Override
  public EngineCursor scan(KeyRange range, boolean reversed) {
    requireOpen();
    return LmdbErrors.calling(
        engine.name(),
        () -> new LmdbCursor(engine.name(), database.openCursor(txn), range, reversed));
  }

  /** LMDB's own check is an error that says less. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      engine.closed(txn);
    }
  }
}
