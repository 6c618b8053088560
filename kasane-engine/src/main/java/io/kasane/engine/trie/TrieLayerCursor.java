/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayDeque;
import java.util.Deque;

/** Walks over keys of any length: into the layer behind each pointer, and out again. */
final class TrieLayerCursor implements EngineCursor {
  private final EngineSnapshot stored;
  private final boolean reversed;
  private final int engineKeyBytes;
  private final Deque<Walk> walks = new ArrayDeque<>();
  private byte[] key;

  /** How far it is in one layer. */
  private static final class Walk {
    private final TrieLayer layer;
    private final byte[] beginning;
    private final KeyRange range;
    private final EngineCursor cursor;

    Walk(TrieLayer layer, byte[] beginning, KeyRange range, EngineCursor cursor) {
      this.layer = layer;
      this.beginning = beginning;
      this.range = range;
      this.cursor = cursor;
    }
  }

  TrieLayerCursor(EngineSnapshot stored, KeyRange range, boolean reversed, int engineKeyBytes) {
    this.stored = stored;
    this.reversed = reversed;
    this.engineKeyBytes = engineKeyBytes;
    if (!range.isEmpty()) {
      enter(TrieLayer.root(engineKeyBytes), new byte[0], range);
    }
  }

  /** The cursor is the walk's to close. */
  private void enter(TrieLayer layer, byte[] beginning, KeyRange range) {
    EngineCursor cursor = stored.scan(layer.engineRange(range), reversed);
    walks.push(new Walk(layer, beginning, range, cursor));
  }

  @Override
  public boolean next() {
    while (!walks.isEmpty()) {
      Walk walk = walks.peek();
      if (!walk.cursor.next()) {
        walks.pop().cursor.close();
        continue;
      }
      byte[] engineKey = walk.cursor.key();
      byte[] here = walk.layer.keyOf(engineKey);
      if (!walk.layer.isPointer(engineKey)) {
        key = TrieLayer.join(walk.beginning, here);
        return true;
      }
      enter(
          TrieLayer.below(TrieLayer.number(walk.cursor.value()), engineKeyBytes),
          TrieLayer.join(walk.beginning, here),
          walk.layer.rangeBehind(here, walk.range));
    }
    key = null;
    return false;
  }

  @Override
  public byte[] key() {
    requireEntry();
    return key;
  }

  @Override
  public byte[] value() {
    requireEntry();
    return walks.element().cursor.value();
  }

  private void requireEntry() {
    if (key == null) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
  }

  @Override
  public void close() {
    key = null;
    while (!walks.isEmpty()) {
      walks.pop().cursor.close();
    }
  }
}
