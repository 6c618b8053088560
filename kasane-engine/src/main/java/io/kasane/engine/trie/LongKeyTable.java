/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** A table whose keys may have any length, on one whose keys may not; see {@link TrieLayer}. */
final class LongKeyTable implements EngineTable {
  private final EngineTable table;
  private final int engineKeyBytes;
  private final TrieLayer root;

  /**
   * A table that takes keys of any length. All that is in {@code table} must have been put so.
   *
   * @param engineKeyBytes the longest key that {@code table} takes
   */
  LongKeyTable(EngineTable table, int engineKeyBytes) {
    this.table = table;
    this.engineKeyBytes = engineKeyBytes;
    this.root = TrieLayer.root(engineKeyBytes);
  }

  boolean isOver(EngineTable other) {
    return table == other;
  }

  @Override
  public EngineSnapshot snapshot() {
    return new Snapshot(table.snapshot());
  }

  /** Keys that the engine takes want no snapshot, others are looked for layer by layer. */
  @Override
  public List<byte[]> getAll(List<byte[]> keys) {
    return keys.stream().allMatch(root::takes)
        ? table.getAll(keys.stream().map(root::entry).toList())
        : EngineTable.super.getAll(keys);
  }

  /** One batch at a time: which layers there are must not change under another one. */
  @Override
  public synchronized void apply(EngineBatch batch) {
    EngineBatch changes = new EngineBatch();
    if (batch.changes().stream().allMatch(change -> root.takes(change.key()))) {
      for (EngineBatch.Change change : batch.changes()) {
        add(changes, root.entry(change.key()), change.value());
      }
    } else {
      try (EngineSnapshot before = table.snapshot()) {
        TrieLayerChanges layers = new TrieLayerChanges(before, changes, engineKeyBytes);
        for (EngineBatch.Change change : batch.changes()) {
          if (change.isDelete()) {
            layers.delete(change.key());
          } else {
            layers.put(change.key(), change.value());
          }
        }
        layers.dropEmpty();
      }
    }
    table.apply(changes);
  }

  static void add(EngineBatch batch, byte[] engineKey, byte[] value) {
    if (value == null) {
      batch.delete(engineKey);
    } else {
      batch.put(engineKey, value);
    }
  }

  /** What layers cost counts, too. */
  @Override
  public Size size() {
    return table.size();
  }

  @Override
  public void drop() {
    table.drop();
  }

  private final class Snapshot implements EngineSnapshot {
    private final EngineSnapshot stored;

    Snapshot(EngineSnapshot stored) {
      this.stored = stored;
    }

    @Override
    public byte[] get(byte[] key) {
      TrieLayer layer = root;
      byte[] rest = key;
      while (!layer.takes(rest)) {
        byte[] number = stored.get(layer.pointer(rest));
        if (number == null) {
          return null;
        }
        rest = layer.rest(rest);
        layer = TrieLayer.below(TrieLayer.number(number), engineKeyBytes);
      }
      return stored.get(layer.entry(rest));
    }

    @Override
    public List<byte[]> getAll(List<byte[]> keys) {
      if (keys.stream().allMatch(root::takes)) {
        return stored.getAll(keys.stream().map(root::entry).toList());
      }
      List<byte[]> values = new ArrayList<>(keys.size());
      keys.forEach(key -> values.add(get(key)));
      return values;
    }

    @Override
    public EngineCursor scan(KeyRange range, boolean reversed) {
      return new TrieLayerCursor(stored, range, reversed, engineKeyBytes);
    }

    @Override
    public void close() {
      stored.close();
    }
  }
}
