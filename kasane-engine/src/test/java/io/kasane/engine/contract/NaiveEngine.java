/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.CloseGuard;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;

final class NaiveEngine implements Engine {
  private final int keyBytes;
  private final long capacityBytes;
  private final NavigableMap<String, NaiveTable> tables;
  private final Runnable onClose;
  private final CloseGuard lifetime = new CloseGuard("naive");

  NaiveEngine(
      int keyBytes, long capacityBytes, NavigableMap<String, NaiveTable> tables, Runnable onClose) {
    this.onClose = onClose;
    this.keyBytes = keyBytes;
    this.capacityBytes = capacityBytes;
    this.tables = tables;
    tables.values().forEach(table -> table.opened(this));
  }

  @Override
  public EngineLimits limits() {
    return new EngineLimits(keyBytes, Integer.MAX_VALUE);
  }

  @Override
  public EngineTable table(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a table needs a name");
    }
    return lifetime.call(
        () -> {
          synchronized (tables) {
            return tables.computeIfAbsent(name, n -> new NaiveTable(n, this));
          }
        });
  }

  @Override
  public Set<String> tables() {
    return lifetime.call(
        () -> {
          synchronized (tables) {
            return new TreeSet<>(tables.keySet());
          }
        });
  }

  void drop(NaiveTable table) {
    synchronized (tables) {
      tables.remove(table.name());
    }
  }

  CloseGuard lifetime() {
    return lifetime;
  }

  void requireRoom(long bytes) {
    if (bytes() + bytes > capacityBytes) {
      throw new EngineException(Kind.FULL, "naive takes " + capacityBytes + " bytes");
    }
  }

  private long bytes() {
    synchronized (tables) {
      return tables.values().stream().mapToLong(NaiveTable::bytes).sum();
    }
  }

  @Override
  public void sync() {
    lifetime.run(() -> {});
  }

  @Override
  public EngineUsage usage() {
    return lifetime.call(() -> new EngineUsage(bytes(), capacityBytes, 0, tables().size()));
  }

  @Override
  public void close() {
    lifetime.close(onClose);
  }
}
