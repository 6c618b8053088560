/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

final class NaiveTable implements EngineTable {
  private final String name;
  private volatile NaiveEngine engine;
  private volatile NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
  private volatile boolean dropped;

  NaiveTable(String name, NaiveEngine engine) {
    this.name = name;
    this.engine = engine;
  }

  void opened(NaiveEngine by) {
    engine = by;
  }

  String name() {
    return name;
  }

  @Override
  public EngineSnapshot snapshot() {
    return engine
        .lifetime()
        .retained(
            () -> {
              requireThere();
              return new Snapshot(entries);
            });
  }

  @Override
  public synchronized void apply(EngineBatch batch) {
    engine.lifetime().run(() -> applyAll(batch));
  }

  private void applyAll(EngineBatch batch) {
    requireThere();
    NavigableMap<byte[], byte[]> after = new TreeMap<>(entries);
    for (EngineBatch.Change change : batch.changes()) {
      if (change.key().length > engine.limits().keyBytes()) {
        throw new IllegalArgumentException("a key of " + change.key().length + " bytes");
      }
      if (change.isDelete()) {
        after.remove(change.key());
      } else {
        after.put(change.key().clone(), change.value().clone());
      }
    }
    engine.requireRoom(batch.bytes());
    entries = after;
  }

  long bytes() {
    return entries.entrySet().stream()
        .mapToLong(entry -> entry.getKey().length + entry.getValue().length)
        .sum();
  }

  @Override
  public Size size() {
    return engine
        .lifetime()
        .call(
            () -> {
              requireThere();
              return new Size(entries.size(), bytes());
            });
  }

  @Override
  public synchronized void drop() {
    engine
        .lifetime()
        .run(
            () -> {
              requireThere();
              dropped = true;
              engine.drop(this);
            });
  }

  private void requireThere() {
    if (dropped) {
      throw new EngineException(Kind.CLOSED, name + " was dropped");
    }
  }

  private final class Snapshot implements EngineSnapshot {
    private final NavigableMap<byte[], byte[]> seen;
    private boolean closed;

    Snapshot(NavigableMap<byte[], byte[]> seen) {
      this.seen = seen;
    }

    @Override
    public byte[] get(byte[] key) {
      requireOpen();
      byte[] value = seen.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public List<byte[]> getAll(List<byte[]> keys) {
      List<byte[]> values = new ArrayList<>();
      keys.forEach(key -> values.add(get(key)));
      return values;
    }

    @Override
    public EngineCursor scan(KeyRange range, boolean reversed) {
      requireOpen();
      NavigableMap<byte[], byte[]> ordered = reversed ? seen.descendingMap() : seen;
      return new Walk(
          ordered.entrySet().stream().filter(entry -> range.contains(entry.getKey())).iterator());
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
        engine.lifetime().released();
      }
    }
  }

  private static final class Walk implements EngineCursor {
    private final Iterator<Map.Entry<byte[], byte[]>> left;
    private Map.Entry<byte[], byte[]> entry;
    private boolean closed;

    Walk(Iterator<Map.Entry<byte[], byte[]>> left) {
      this.left = left;
    }

    @Override
    public boolean next() {
      entry = !closed && left.hasNext() ? left.next() : null;
      return entry != null;
    }

    @Override
    public byte[] key() {
      return require().getKey().clone();
    }

    @Override
    public byte[] value() {
      return require().getValue().clone();
    }

    private Map.Entry<byte[], byte[]> require() {
      if (entry == null) {
        throw new IllegalStateException("the cursor stands on no entry");
      }
      return entry;
    }

    @Override
    public void close() {
      closed = true;
      entry = null;
    }
  }
}
