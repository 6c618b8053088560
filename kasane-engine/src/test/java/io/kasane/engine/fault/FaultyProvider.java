/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.fault;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import io.kasane.engine.spi.KeyRange;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** LMDB, with {@link Faults}. */
public final class FaultyProvider implements EngineProvider {
  /** For {@link ServiceLoader}. */
  public FaultyProvider() {}

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public Engine open(EngineOptions options) {
    Faults.onRead();
    return new FaultyEngine(
        ServiceLoader.load(EngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("lmdb"))
            .findFirst()
            .orElseThrow()
            .open(options));
  }

  private static final class FaultyEngine implements Engine {
    private final Engine engine;
    private final Map<EngineTable, EngineTable> tables = new ConcurrentHashMap<>();

    FaultyEngine(Engine engine) {
      this.engine = engine;
    }

    @Override
    public EngineLimits limits() {
      return engine.limits();
    }

    @Override
    public EngineTable table(String name) {
      Faults.onTable(() -> engine.tables().contains(name));
      return tables.computeIfAbsent(engine.table(name), FaultyTable::new);
    }

    @Override
    public Set<String> tables() {
      Faults.onRead();
      return engine.tables();
    }

    @Override
    public void sync() {
      Faults.around("sync", engine::sync);
    }

    @Override
    public EngineUsage usage() {
      return engine.usage();
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private record FaultyTable(EngineTable table) implements EngineTable {
    @Override
    public EngineSnapshot snapshot() {
      Faults.onRead();
      return new FaultySnapshot(table.snapshot());
    }

    @Override
    public void apply(EngineBatch batch) {
      Faults.around("apply", () -> table.apply(batch));
    }

    @Override
    public Size size() {
      return table.size();
    }

    @Override
    public void drop() {
      Faults.around("drop", table::drop);
    }
  }

  private record FaultySnapshot(EngineSnapshot snapshot) implements EngineSnapshot {
    @Override
    public byte[] get(byte[] key) {
      Faults.onRead();
      return Faults.value(snapshot.get(key));
    }

    @Override
    public List<byte[]> getAll(List<byte[]> keys) {
      Faults.onRead();
      return snapshot.getAll(keys).stream().map(Faults::value).toList();
    }

    @Override
    public EngineCursor scan(KeyRange range, boolean reversed) {
      Faults.onRead();
      return new FaultyCursor(snapshot.scan(range, reversed));
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }

  private record FaultyCursor(EngineCursor cursor) implements EngineCursor {
    @Override
    public boolean next() {
      Faults.onWalk();
      return cursor.next();
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    @Override
    public byte[] value() {
      return Faults.value(cursor.value());
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
