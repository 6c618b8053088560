/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns changes of keys into changes of layers: makes layers that a key needs, and drops those that
 * a deletion leaves empty. For one batch, and one thread.
 */
final class TrieLayerChanges {
  private final EngineSnapshot before;
  private final EngineBatch changes;
  private final int engineKeyBytes;

  /** What the batch has done so far: a value of null deletes. */
  private final TreeMap<byte[], byte[]> changed = new TreeMap<>(Arrays::compareUnsigned);

  private final Map<Long, Visited> visited = new HashMap<>();
  private long nextLayer;

  /** A layer that a key was deleted from, and the pointer to it. */
  private static final class Visited {
    private final TrieLayer layer;
    private final byte[] pointer;
    private final int depth;

    Visited(TrieLayer layer, byte[] pointer, int depth) {
      this.layer = layer;
      this.pointer = pointer;
      this.depth = depth;
    }
  }

  TrieLayerChanges(EngineSnapshot before, EngineBatch changes, int engineKeyBytes) {
    this.before = before;
    this.changes = changes;
    this.engineKeyBytes = engineKeyBytes;
  }

  void put(byte[] key, byte[] value) {
    TrieLayer layer = TrieLayer.root(engineKeyBytes);
    byte[] rest = key;
    while (!layer.takes(rest)) {
      byte[] pointer = layer.pointer(rest);
      byte[] number = get(pointer);
      if (number == null) {
        number = TrieLayer.numberBytes(takeNumber());
        change(pointer, number);
      }
      rest = layer.rest(rest);
      layer = TrieLayer.below(TrieLayer.number(number), engineKeyBytes);
    }
    change(layer.entry(rest), value);
  }

  void delete(byte[] key) {
    TrieLayer layer = TrieLayer.root(engineKeyBytes);
    byte[] rest = key;
    for (int depth = 1; !layer.takes(rest); depth++) {
      byte[] pointer = layer.pointer(rest);
      byte[] number = get(pointer);
      if (number == null) {
        return;
      }
      rest = layer.rest(rest);
      layer = TrieLayer.below(TrieLayer.number(number), engineKeyBytes);
      visited.putIfAbsent(TrieLayer.number(number), new Visited(layer, pointer, depth));
    }
    change(layer.entry(rest), null);
  }

  /** The deepest first: the layer above may have held nothing else. */
  void dropEmpty() {
    visited.values().stream()
        .sorted(Comparator.comparingInt((Visited left) -> left.depth).reversed())
        .filter(left -> isEmpty(left.layer.engineRange(KeyRange.all())))
        .forEach(left -> change(left.pointer, null));
  }

  private boolean isEmpty(KeyRange engineRange) {
    if (changed.subMap(engineRange.from(), engineRange.to()).values().stream()
        .anyMatch(value -> value != null)) {
      return false;
    }
    try (EngineCursor stored = before.scan(engineRange, false)) {
      while (stored.next()) {
        if (!changed.containsKey(stored.key())) {
          return false;
        }
      }
    }
    return true;
  }

  private byte[] get(byte[] engineKey) {
    return changed.containsKey(engineKey) ? changed.get(engineKey) : before.get(engineKey);
  }

  private void change(byte[] engineKey, byte[] value) {
    changed.put(engineKey, value);
    LongKeyTable.add(changes, engineKey, value);
  }

  /** Numbers never come again: what reads an older snapshot must not meet another layer's keys. */
  private long takeNumber() {
    if (nextLayer == 0) {
      byte[] stored = before.get(TrieLayer.NEXT_LAYER_KEY);
      nextLayer = stored == null ? TrieLayer.FIRST_FREE : TrieLayer.number(stored);
    }
    long number = nextLayer++;
    changes.put(TrieLayer.NEXT_LAYER_KEY, TrieLayer.numberBytes(nextLayer));
    return number;
  }
}
