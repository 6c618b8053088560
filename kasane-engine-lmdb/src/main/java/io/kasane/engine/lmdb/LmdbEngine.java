/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.spi.CloseGuard;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.DirectBufferProxy;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Meta;
import org.lmdbjava.Txn;

/**
 * One LMDB environment. A table is a numbered database of it; which number belongs to which name is
 * written in the {@link Catalog}, since LMDB's own names cannot be dropped while others read.
 *
 * <p>LMDB has one writer at a time. Its lock is taken here, where a thread that waits for it can be
 * seen, and never below: to open a database inside a transaction would wait for itself for ever.
 */
final class LmdbEngine implements Engine {
  private static final int MAX_TABLES = 512;
  private static final int MAX_READERS = 1_024;

  /** Deleting and dropping takes new pages before it frees old ones: what puts may not fill. */
  private static final int KEPT_SHARE = 8;

  private static final long PAGE_BYTES = 4_096;
  private static final long NODE_BYTES = 32;

  /**
   * Directories of engines that are open. To open one twice in a process takes the lock away that
   * keeps other processes out, and nothing would keep the two writers apart.
   */
  private static final List<String> EXTRACT_DIRECTORIES =
      List.of("lmdbjava.extract.dir", "jffi.extract.dir");

  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final EngineOptions options;
  private final String name;
  private final Path realDirectory;
  private final Env<DirectBuffer> env;
  private final Catalog catalog;
  private final CloseGuard lifetime;
  private final ReentrantLock writer = new ReentrantLock();
  private final Map<Integer, Dbi<DirectBuffer>> databases = new HashMap<>();
  private final Map<String, LmdbTable> tables = new TreeMap<>();

  private LmdbEngine(
      EngineOptions options, String name, Path realDirectory, Env<DirectBuffer> env) {
    this.options = options;
    this.name = name;
    this.realDirectory = realDirectory;
    this.env = env;
    this.lifetime = new CloseGuard(name);
    this.catalog = new Catalog(env);
    numbers().forEach((table, number) -> tables.put(table, openTable(table, number)));
  }

  static LmdbEngine open(EngineOptions options) {
    String name = "LMDB in " + options.directory();
    Path realDirectory;
    try {
      realDirectory = Files.createDirectories(options.directory()).toRealPath();
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, name + ": " + e, e);
    }
    if (!OPEN.add(realDirectory)) {
      throw new EngineException(Kind.FAILED, name + " is open already");
    }
    try {
      NativeLibraries.load("lmdb", LmdbEngine::loadLibraries);
      return LmdbErrors.calling(name, () -> open(options, name, realDirectory));
    } catch (RuntimeException | Error e) {
      OPEN.remove(realDirectory);
      throw e;
    }
  }

  /** LMDB's own, and that of jnr, unless Cassandra has it already. */
  private static void loadLibraries(Path directory) {
    for (String setting : EXTRACT_DIRECTORIES) {
      if (System.getProperty(setting) == null) {
        System.setProperty(setting, directory.toString());
      }
    }
    Meta.version();
  }

  private static LmdbEngine open(EngineOptions options, String name, Path realDirectory) {
    Env<DirectBuffer> env =
        Env.create(DirectBufferProxy.PROXY_DB)
            .setMapSize(options.capacityBytes())
            .setMaxDbs(MAX_TABLES + 1)
            .setMaxReaders(MAX_READERS)
            .open(realDirectory.toFile(), flags(options));
    try {
      requireKeysOf(env.getMaxKeySize());
      return new LmdbEngine(options, name, realDirectory, env);
    } catch (RuntimeException | Error e) {
      env.close();
      throw e;
    }
  }

  private static EnvFlags[] flags(EngineOptions options) {
    // A snapshot may be read by another thread than the one that opened it. Where memory is short,
    // the kernel's read-ahead around each page would push out pages that are needed.
    List<EnvFlags> flags = new ArrayList<>(List.of(EnvFlags.MDB_NOTLS, EnvFlags.MDB_NORDAHEAD));
    if (options.durability() == Durability.NONE) {
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    return flags.toArray(EnvFlags[]::new);
  }

  private static void requireKeysOf(int bytes) {
    if (bytes != KeyBuffer.MAX_BYTES) {
      throw new EngineException(
          Kind.FAILED,
          "this LMDB takes keys of " + bytes + " bytes, and not of " + KeyBuffer.MAX_BYTES);
    }
  }

  private Map<String, Integer> numbers() {
    try (Txn<DirectBuffer> txn = env.txnRead()) {
      return catalog.read(txn);
    }
  }

  private LmdbTable openTable(String table, int number) {
    Dbi<DirectBuffer> database =
        databases.computeIfAbsent(number, n -> env.openDbi("t" + n, DbiFlags.MDB_CREATE));
    return new LmdbTable(this, table, number, database);
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(KeyBuffer.MAX_BYTES, Integer.MAX_VALUE - 16);
  }

  @Override
  public EngineTable table(String table) {
    int nameBytes = table.getBytes(UTF_8).length;
    if (nameBytes == 0 || nameBytes > KeyBuffer.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a table's name has " + nameBytes + " bytes, and must have 1 to " + KeyBuffer.MAX_BYTES);
    }
    return exclusively(
        () -> {
          LmdbTable found = tables.get(table);
          if (found == null) {
            int number = freeNumber();
            found = openTable(table, number);
            write(txn -> catalog.add(txn, table, number));
            tables.put(table, found);
          }
          return found;
        });
  }

  private int freeNumber() {
    BitSet taken = new BitSet();
    tables.values().forEach(table -> taken.set(table.number()));
    int free = taken.nextClearBit(0);
    if (free >= MAX_TABLES) {
      throw new EngineException(
          Kind.FULL, name + " has " + MAX_TABLES + " tables, and takes no more");
    }
    return free;
  }

  @Override
  public Set<String> tables() {
    return exclusively(() -> new TreeSet<>(tables.keySet()));
  }

  void drop(LmdbTable table, Dbi<DirectBuffer> database) {
    exclusively(
        () -> {
          table.dropping();
          try {
            write(
                txn -> {
                  database.drop(txn);
                  catalog.remove(txn, table.name());
                });
          } catch (RuntimeException | Error e) {
            table.notDropped();
            throw e;
          }
          tables.remove(table.name());
          return null;
        });
  }

  /** Calls with the writer's lock, outside of any transaction. */
  <T> T exclusively(Supplier<T> call) {
    return lifetime.call(
        () -> {
          writer.lock();
          try {
            return LmdbErrors.calling(name, call);
          } finally {
            writer.unlock();
          }
        });
  }

  /** Changes all or nothing. Only for who holds the writer's lock. */
  void write(Consumer<Txn<DirectBuffer>> changes) {
    try (Txn<DirectBuffer> txn = env.txnWrite()) {
      changes.accept(txn);
      txn.commit();
    }
  }

  /** Refuses what would leave deletions no room. Only for who holds the writer's lock. */
  void requireRoom(Txn<DirectBuffer> txn, EngineBatch batch) {
    long bytes = batch.changes().stream().mapToLong(LmdbEngine::mostBytes).sum();
    long files = EngineUsage.bytesIn(options.directory());
    long capacity =
        Math.min(options.capacityBytes(), EngineUsage.mostBytesIn(options.directory(), files));
    long most = capacity - capacity / KEPT_SHARE;
    long used = tables.values().stream().mapToLong(table -> table.stored(txn).bytes()).sum();
    if (used + bytes > most) {
      throw new EngineException(
          Kind.FULL,
          String.format(
              "%s holds %,d bytes, and may hold %,d of the %,d that its capacity or its disk allow",
              name, used, most, capacity));
    }
  }

  /** What does not fit into half a page takes whole ones. */
  private static long mostBytes(EngineBatch.Change change) {
    if (change.isDelete()) {
      return 0;
    }
    long bytes = NODE_BYTES + change.key().length + change.value().length;
    return bytes <= PAGE_BYTES / 2 ? bytes : (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }

  /** Opens a read transaction, with which the engine stays open until {@link #closed(Txn)}. */
  Txn<DirectBuffer> read() {
    return lifetime.retained(() -> LmdbErrors.calling(name, env::txnRead));
  }

  void closed(Txn<DirectBuffer> txn) {
    try {
      txn.close();
    } finally {
      lifetime.released();
    }
  }

  String name() {
    return name;
  }

  /** LMDB writes what a commit holds before it returns, unless it was told not to. */
  @Override
  public void sync() {
    if (options.durability() == Durability.SYNC) {
      lifetime.run(
          () ->
              LmdbErrors.calling(
                  name,
                  () -> {
                    env.sync(true);
                    return null;
                  }));
    }
  }

  /** The pages that it reads are the operating system's memory. */
  @Override
  public EngineUsage usage() {
    int count = tables().size();
    return lifetime.call(
        () ->
            new EngineUsage(
                EngineUsage.bytesIn(options.directory()), options.capacityBytes(), 0, count));
  }

  @Override
  public void close() {
    lifetime.close(
        () -> {
          env.close();
          OPEN.remove(realDirectory);
        });
  }
}
