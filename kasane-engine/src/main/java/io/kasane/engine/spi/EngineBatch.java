/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Changes of one table that are applied together, in their order. If several change the same key,
 * the last one wins. Keys and values are kept as they are, and must not change afterwards. For one
 * thread.
 */
public final class EngineBatch {
  private final List<Change> changes = new ArrayList<>();
  private long bytes;

  /** One change: a key gets a value, or is deleted where {@link #value} is null. */
  public static final class Change {
    private final byte[] key;
    private final byte[] value;

    private Change(byte[] key, byte[] value) {
      this.key = key;
      this.value = value;
    }

    public byte[] key() {
      return key;
    }

    /** Returns the value to put; null to delete the key. */
    public byte[] value() {
      return value;
    }

    public boolean isDelete() {
      return value == null;
    }
  }

  /** Lets {@code key} have a value, instead of the one that it may have. */
  public EngineBatch put(byte[] key, byte[] value) {
    return add(key, Objects.requireNonNull(value, "value"));
  }

  /** Deletes {@code key}, if it is there. */
  public EngineBatch delete(byte[] key) {
    return add(key, null);
  }

  private EngineBatch add(byte[] key, byte[] value) {
    if (key.length == 0) {
      throw new IllegalArgumentException("a key is empty, and must have at least one byte");
    }
    changes.add(new Change(key, value));
    bytes += key.length + (value == null ? 0 : value.length);
    return this;
  }

  public List<Change> changes() {
    return changes;
  }

  /** Returns by key what it has afterwards: its value, or null if it is deleted. */
  public NavigableMap<byte[], byte[]> lastChanges() {
    NavigableMap<byte[], byte[]> last = new TreeMap<>(Arrays::compareUnsigned);
    changes.forEach(change -> last.put(change.key(), change.value()));
    return last;
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Returns how many bytes its keys and values have. */
  public long bytes() {
    return bytes;
  }
}
