/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.spi.CloseGuard;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import io.kasane.engine.spi.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** One RocksDB database. A table is a column family of its name. */
final class RocksdbEngine implements Engine {
  private static final int KEY_BYTES = 1 << 23; // RocksDB itself stops at 8 MiB
  private static final String DEFAULT = new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8);

  /** The write-ahead log's segments: their sum is bounded by it. */
  private static final long MAX_LOG_BYTES = 256L << 20;

  /** What a disk is not filled with: deletions, flushes and compactions need room of their own. */
  private static final int KEPT_SHARE = 8;

  private static final long MAX_KEPT_BYTES = 4L << 30;
  private static final long FREE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final EngineOptions options;
  private final String name;
  private final RocksdbMemory memory;
  private final DBOptions dbOptions;
  private final WriteOptions writeOptions;
  private final CloseGuard lifetime;
  private final Map<String, RocksdbTable> tables = new TreeMap<>();
  private final AtomicLong freedAtNanos = new AtomicLong(System.nanoTime() - FREE_NANOS);
  private volatile boolean hasDeleted;
  private RocksDB db;
  private ColumnFamilyHandle unused;

  private RocksdbEngine(EngineOptions options) {
    this.options = options;
    this.name = "RocksDB in " + options.directory();
    this.lifetime = new CloseGuard(name);
    this.memory = new RocksdbMemory(options.memoryBytes());
    this.dbOptions =
        new DBOptions()
            .setCreateIfMissing(true)
            .setMaxTotalWalSize(MAX_LOG_BYTES)
            .setMaxBackgroundJobs(2)
            .setKeepLogFileNum(2);
    memory.limit(dbOptions);
    this.writeOptions = new WriteOptions();
  }

  static RocksdbEngine open(EngineOptions options) {
    NativeLibraries.load(
        "rocksdb",
        directory -> NativeLibraryLoader.getInstance().loadLibrary(directory.toString()));
    RocksdbEngine engine = new RocksdbEngine(options);
    try {
      Files.createDirectories(options.directory());
      RocksdbErrors.calling(engine.name, engine::open);
      return engine;
    } catch (IOException e) {
      engine.free();
      throw new EngineException(Kind.FAILED, engine.name + ": " + e, e);
    } catch (RuntimeException | Error e) {
      engine.free();
      throw e;
    }
  }

  private Void open() throws RocksDBException {
    String path = options.directory().toString();
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (Options listing = new Options()) {
      for (byte[] family : RocksDB.listColumnFamilies(listing, path)) {
        families.add(new ColumnFamilyDescriptor(family, memory.tables()));
      }
    }
    if (families.isEmpty()) {
      families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, memory.tables()));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    db = RocksDB.open(dbOptions, path, families, handles);
    for (ColumnFamilyHandle handle : handles) {
      String table = new String(handle.getName(), UTF_8);
      if (table.equals(DEFAULT)) {
        unused = handle;
      } else {
        tables.put(table, new RocksdbTable(this, table, handle));
      }
    }
    return null;
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(KEY_BYTES, Integer.MAX_VALUE - KEY_BYTES);
  }

  @Override
  public EngineTable table(String table) {
    if (table.isEmpty() || table.equals(DEFAULT)) {
      throw new IllegalArgumentException("a table cannot be called '" + table + "'");
    }
    return call(
        () -> {
          synchronized (tables) {
            RocksdbTable found = tables.get(table);
            if (found == null) {
              found =
                  new RocksdbTable(
                      this,
                      table,
                      db.createColumnFamily(
                          new ColumnFamilyDescriptor(table.getBytes(UTF_8), memory.tables())));
              tables.put(table, found);
            }
            return found;
          }
        });
  }

  @Override
  public Set<String> tables() {
    return call(
        () -> {
          synchronized (tables) {
            return new TreeSet<>(tables.keySet());
          }
        });
  }

  /** Deletions were applied. */
  void deleted() {
    hasDeleted = true;
  }

  /** RocksDB forgets the family at once; its files go when nobody reads them. */
  void drop(String table, ColumnFamilyHandle family) throws RocksDBException {
    synchronized (tables) {
      db.dropColumnFamily(family);
      tables.remove(table);
      hasDeleted = true;
    }
  }

  <T> T call(RocksdbErrors.Call<T> call) {
    return lifetime.call(() -> RocksdbErrors.calling(name, call));
  }

  /** Opens what reads, with which the engine stays open until it is {@link #released}. */
  <T> T retained(RocksdbErrors.Call<T> open) {
    return lifetime.retained(() -> RocksdbErrors.calling(name, open));
  }

  void released() {
    lifetime.released();
  }

  RocksDB db() {
    return db;
  }

  WriteOptions writeOptions() {
    return writeOptions;
  }

  String name() {
    return name;
  }

  /** Compaction needs room of its own, and may pass the bound for a while. */
  void requireRoom(long bytes) {
    long used = EngineUsage.bytesIn(options.directory());
    long disk = EngineUsage.mostBytesIn(options.directory(), used);
    long kept = Math.min(disk / KEPT_SHARE, MAX_KEPT_BYTES);
    long most = Math.min(options.capacityBytes(), disk - kept);
    if (used + bytes > most) {
      EngineException full =
          new EngineException(
              Kind.FULL,
              String.format(
                  "%s takes %,d bytes, and may take %,d: its capacity is %,d, and %,d of what its disk"
                      + " has are kept for deletions",
                  name, used, most, options.capacityBytes(), kept));
      try {
        freeOnceASecond();
      } catch (EngineException e) {
        full.addSuppressed(e);
      }
      throw full;
    }
  }

  /**
   * Gives back what deleted entries and dropped tables still take; waits for no flush, so that not
   * all may be free until the next call. Deletions that are in memory have no compaction yet. The
   * log keeps their rows as long as another table has an older one in memory, and a full engine
   * takes no writes that would have it flushed. A file whose table was dropped while it was written
   * is found by looking through the directory only, which RocksDB does every six hours, and when it
   * may delete files again.
   */
  private void freeDeleted() {
    call(
        () -> {
          try (FlushOptions flush =
              new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true)) {
            synchronized (tables) {
              for (RocksdbTable table : tables.values()) {
                db.flush(flush, table.family());
              }
            }
          } finally {
            db.disableFileDeletions();
            db.enableFileDeletions();
          }
          return null;
        });
  }

  /** Many may be refused at once. */
  private void freeOnceASecond() {
    long now = System.nanoTime();
    long last = freedAtNanos.get();
    if (hasDeleted && now - last >= FREE_NANOS && freedAtNanos.compareAndSet(last, now)) {
      freeDeleted();
    }
  }

  /** What was applied is in the log, which a killed process leaves to the operating system. */
  @Override
  public void sync() {
    if (options.durability() == Durability.SYNC) {
      call(
          () -> {
            db.syncWal();
            return null;
          });
    }
  }

  @Override
  public EngineUsage usage() {
    int count = tables().size();
    return call(
        () ->
            new EngineUsage(
                EngineUsage.bytesIn(options.directory()),
                options.capacityBytes(),
                memory.usedBytes(),
                count));
  }

  @Override
  public void close() {
    lifetime.close(
        () -> {
          tables.values().forEach(RocksdbTable::free);
          unused.close();
          db.close();
          free();
        });
  }

  private void free() {
    writeOptions.close();
    dbOptions.close();
    memory.close();
  }
}
