/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.lmdbjava.Dbi;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;

/** One database of the environment. */
final class LmdbTable implements EngineTable {
  private final LmdbEngine engine;
  private final String name;
  private final int number;
  private final Dbi<DirectBuffer> database;
  private volatile boolean dropped;

  LmdbTable(LmdbEngine engine, String name, int number, Dbi<DirectBuffer> database) {
    this.engine = engine;
    this.name = name;
    this.number = number;
    this.database = database;
  }

  String name() {
    return name;
  }

  int number() {
    return number;
  }

  @Override
  public EngineSnapshot snapshot() {
    Txn<DirectBuffer> txn = engine.read();
    try {
      requireThere(); // asked now, it was there when the transaction began
      return new LmdbSnapshot(engine, database, txn);
    } catch (RuntimeException | Error e) {
      engine.closed(txn);
      throw e;
    }
  }

  @Override
  public void apply(EngineBatch batch) {
    for (EngineBatch.Change change : batch.changes()) {
      if (change.key().length > KeyBuffer.MAX_BYTES) {
        throw new IllegalArgumentException(
            "a key has "
                + change.key().length
                + " bytes, and LMDB takes "
                + KeyBuffer.MAX_BYTES
                + " at most");
      }
    }
    engine.exclusively(
        () -> {
          requireThere();
          if (!batch.isEmpty()) {
            engine.write(txn -> apply(txn, batch));
          }
          return null;
        });
  }

  private void apply(Txn<DirectBuffer> txn, EngineBatch batch) {
    if (!batch.changes().stream().allMatch(EngineBatch.Change::isDelete)) {
      engine.requireRoom(txn, batch);
    }
    batch.changes().forEach(change -> apply(txn, change));
  }

  private void apply(Txn<DirectBuffer> txn, EngineBatch.Change change) {
    DirectBuffer key = KeyBuffer.of(change.key());
    if (change.isDelete()) {
      database.delete(txn, key);
    } else {
      byte[] value = change.value();
      ((MutableDirectBuffer) database.reserve(txn, key, value.length)).putBytes(0, value);
    }
  }

  private void requireThere() {
    if (dropped) {
      throw new EngineException(
          Kind.CLOSED, engine.name() + ": the table " + name + " was dropped");
    }
  }

  @Override
  public Size size() {
    Txn<DirectBuffer> txn = engine.read();
    try {
      requireThere();
      return LmdbErrors.calling(engine.name(), () -> stored(txn));
    } finally {
      engine.closed(txn);
    }
  }

  Size stored(Txn<DirectBuffer> txn) {
    Stat stat = database.stat(txn);
    long pages = stat.branchPages + stat.leafPages + stat.overflowPages;
    return new Size(stat.entries, pages * stat.pageSize);
  }

  @Override
  public void drop() {
    engine.drop(this, database);
  }

  /** Called by the engine's writer, before another table may get the number. */
  void dropping() {
    requireThere();
    dropped = true;
  }

  void notDropped() {
    dropped = false;
  }
}
