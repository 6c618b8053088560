/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An engine that takes keys of any length, on one that does not. */
public final class LongKeyEngine implements Engine {
  /** A shorter key would need a layer for each byte. */
  public static final int MIN_KEY_BYTES = 32;

  private final Engine engine;
  private final int engineKeyBytes;
  private final Map<String, LongKeyTable> tables = new ConcurrentHashMap<>();

  /**
   * An engine without a bound of keys.
   *
   * @param engine what all is stored in: either always through this class or never
   */
  public LongKeyEngine(Engine engine) {
    this.engine = engine;
    this.engineKeyBytes = engine.limits().keyBytes();
    if (engineKeyBytes < MIN_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the engine takes keys of "
              + engineKeyBytes
              + " bytes, and must take at least "
              + MIN_KEY_BYTES);
    }
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(Integer.MAX_VALUE, engine.limits().valueBytes());
  }

  @Override
  public EngineTable table(String name) {
    return tables.compute(
        name,
        (n, known) -> {
          EngineTable table = engine.table(name);
          return known != null && known.isOver(table)
              ? known
              : new LongKeyTable(table, engineKeyBytes);
        });
  }

  @Override
  public Set<String> tables() {
    return engine.tables();
  }

  @Override
  public void sync() {
    engine.sync();
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
