/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** One column family. */
final class RocksdbTable implements EngineTable {
  private static final String KEYS = "rocksdb.estimate-num-keys";
  private static final String DISK = "rocksdb.live-sst-files-size";
  private static final String MEMORY = "rocksdb.cur-size-all-mem-tables";

  private final RocksdbEngine engine;
  private final String name;
  private final ColumnFamilyHandle family;

  /** Who drops waits for writes, and nobody else does: RocksDB lets them go side by side. */
  private final ReadWriteLock drops = new ReentrantReadWriteLock();

  private final Object handle = new Object();
  private int snapshots;
  private volatile boolean dropped;

  RocksdbTable(RocksdbEngine engine, String name, ColumnFamilyHandle family) {
    this.engine = engine;
    this.name = name;
    this.family = family;
  }

  ColumnFamilyHandle family() {
    return family;
  }

  @Override
  public EngineSnapshot snapshot() {
    return engine.retained(() -> whileThere(this::open));
  }

  private RocksdbSnapshot open() {
    RocksdbSnapshot snapshot = new RocksdbSnapshot(engine, this, family);
    synchronized (handle) {
      snapshots++;
    }
    return snapshot;
  }

  /** A dropped family's handle must live as long as somebody reads through it. */
  void closed() {
    synchronized (handle) {
      snapshots--;
      closeIfUnused();
    }
    engine.released();
  }

  private void closeIfUnused() {
    if (dropped && snapshots == 0) {
      family.close();
    }
  }

  @Override
  public void apply(EngineBatch batch) {
    int most = engine.limits().keyBytes();
    boolean puts = false;
    boolean deletes = false;
    for (EngineBatch.Change change : batch.changes()) {
      if (change.key().length > most) {
        throw new IllegalArgumentException(
            "a key has " + change.key().length + " bytes, and RocksDB takes " + most + " at most");
      }
      puts |= !change.isDelete();
      deletes |= change.isDelete();
    }
    if (puts) {
      engine.requireRoom(batch.bytes());
    }
    engine.call(
        () ->
            whileThere(
                () -> {
                  write(batch);
                  return null;
                }));
    if (deletes) {
      engine.deleted();
    }
  }

  private void write(EngineBatch batch) throws RocksDBException {
    try (WriteBatch changes = new WriteBatch()) {
      for (EngineBatch.Change change : batch.changes()) {
        if (change.isDelete()) {
          changes.delete(family, change.key());
        } else {
          changes.put(family, change.key(), change.value());
        }
      }
      engine.db().write(engine.writeOptions(), changes);
    }
  }

  @Override
  public Size size() {
    return engine.call(
        () -> whileThere(() -> new Size(property(KEYS), property(DISK) + property(MEMORY))));
  }

  private long property(String property) throws RocksDBException {
    return engine.db().getLongProperty(family, property);
  }

  @Override
  public void drop() {
    engine.call(
        () ->
            whileThere(
                drops.writeLock(),
                () -> {
                  engine.drop(name, family);
                  synchronized (handle) {
                    dropped = true;
                    closeIfUnused();
                  }
                  return null;
                }));
  }

  private <T> T whileThere(RocksdbErrors.Call<T> call) throws RocksDBException {
    return whileThere(drops.readLock(), call);
  }

  /** Only within a call of the engine, which may not be closed meanwhile. */
  private <T> T whileThere(Lock lock, RocksdbErrors.Call<T> call) throws RocksDBException {
    lock.lock();
    try {
      if (dropped) {
        throw new EngineException(
            Kind.CLOSED, engine.name() + ": the table " + name + " was dropped");
      }
      return call.call();
    } finally {
      lock.unlock();
    }
  }

  /** The engine closes. */
  void free() {
    family.close();
  }
}
