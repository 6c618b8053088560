/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * An immutable set of partition keys, exact to the byte: about 16 bytes a key and the key itself.
 * Safe to share between threads; a lookup allocates nothing.
 */
final class KeyBatch {
  private static final Comparator<RowKey> ORDER =
      Comparator.comparingLong(RowKey::id).thenComparing(RowKey::bytes);

  private final long[] ids;
  private final int[] ends;
  private final byte[] bytes;

  private KeyBatch(long[] ids, int[] ends, byte[] bytes) {
    this.ids = ids;
    this.ends = ends;
    this.bytes = bytes;
  }

  static KeyBatch of(List<RowKey> keys) {
    List<RowKey> sorted = keys.stream().sorted(ORDER).distinct().toList();
    long[] ids = new long[sorted.size()];
    int[] ends = new int[sorted.size() + 1];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = sorted.get(i).id();
      ends[i + 1] = Math.addExact(ends[i], sorted.get(i).bytes().remaining());
    }
    byte[] bytes = new byte[ends[ids.length]];
    for (int i = 0; i < ids.length; i++) {
      sorted.get(i).bytes().duplicate().get(bytes, ends[i], ends[i + 1] - ends[i]);
    }
    return new KeyBatch(ids, ends, bytes);
  }

  /** The keys of all {@code batches} whose id passes {@code keep}. */
  static KeyBatch union(List<KeyBatch> batches, LongPredicate keep) {
    return of(
        batches.stream()
            .flatMap(batch -> batch.keys().stream())
            .filter(key -> keep.test(key.id()))
            .toList());
  }

  private List<RowKey> keys() {
    RowKey[] keys = new RowKey[ids.length];
    for (int i = 0; i < ids.length; i++) {
      keys[i] = new RowKey(ids[i], ByteBuffer.wrap(bytes, ends[i], ends[i + 1] - ends[i]).slice());
    }
    return List.of(keys);
  }

  int size() {
    return ids.length;
  }

  boolean contains(long id, ByteBuffer key) {
    int at = Arrays.binarySearch(ids, id);
    if (at < 0) {
      return false;
    }
    while (at > 0 && ids[at - 1] == id) {
      at--;
    }
    for (; at < ids.length && ids[at] == id; at++) {
      if (isAt(at, key)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAt(int index, ByteBuffer key) {
    int begin = ends[index];
    if (ends[index + 1] - begin != key.remaining()) {
      return false;
    }
    int position = key.position();
    for (int i = 0; i < key.remaining(); i++) {
      if (bytes[begin + i] != key.get(position + i)) {
        return false;
      }
    }
    return true;
  }
}
