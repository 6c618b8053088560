/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
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

  /** The keys of all {@code batches}. */
  static KeyBatch union(List<KeyBatch> batches) {
    if (batches.size() <= 1) {
      return batches.isEmpty() ? of(List.of()) : batches.get(0);
    }
    int half = batches.size() / 2;
    return union(union(batches.subList(0, half)), union(batches.subList(half, batches.size())));
  }

  private static KeyBatch union(KeyBatch one, KeyBatch other) {
    Builder all = new Builder(one.size() + other.size(), one.bytes.length + other.bytes.length);
    int i = 0;
    int j = 0;
    while (i < one.size() || j < other.size()) {
      int order = i == one.size() ? 1 : j == other.size() ? -1 : one.compare(i, other, j);
      if (order <= 0) {
        all.add(one, i++);
        j += order == 0 ? 1 : 0;
      } else {
        all.add(other, j++);
      }
    }
    return all.build();
  }

  /** These keys without those whose id does not pass. */
  KeyBatch filter(LongPredicate keep) {
    Builder kept = new Builder(size(), bytes.length);
    for (int i = 0; i < size(); i++) {
      if (keep.test(ids[i])) {
        kept.add(this, i);
      }
    }
    return kept.build();
  }

  /** These keys without those of {@code others}. */
  KeyBatch without(KeyBatch others) {
    Builder rest = new Builder(size(), bytes.length);
    int j = 0;
    for (int i = 0; i < size(); i++) {
      while (j < others.size() && others.compare(j, this, i) < 0) {
        j++;
      }
      if (j == others.size() || others.compare(j, this, i) != 0) {
        rest.add(this, i);
      }
    }
    return rest.size == size() ? this : rest.build();
  }

  private int compare(int at, KeyBatch other, int otherAt) {
    int byId = Long.compare(ids[at], other.ids[otherAt]);
    return byId != 0
        ? byId
        : Arrays.compare(
            bytes,
            ends[at],
            ends[at + 1],
            other.bytes,
            other.ends[otherAt],
            other.ends[otherAt + 1]);
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(ids.length);
    out.writeInt(bytes.length);
    for (long id : ids) {
      out.writeLong(id);
    }
    for (int end : ends) {
      out.writeInt(end);
    }
    out.write(bytes);
  }

  static KeyBatch readFrom(DataInput in) throws IOException {
    long[] ids = new long[in.readInt()];
    byte[] bytes = new byte[in.readInt()];
    int[] ends = new int[ids.length + 1];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = in.readLong();
    }
    for (int i = 0; i < ends.length; i++) {
      ends[i] = in.readInt();
    }
    in.readFully(bytes);
    return new KeyBatch(ids, ends, bytes);
  }

  /** Takes keys in order. */
  private static final class Builder {
    private final long[] ids;
    private final int[] ends;
    private final byte[] bytes;
    private int size;

    Builder(int mostKeys, int mostBytes) {
      ids = new long[mostKeys];
      ends = new int[mostKeys + 1];
      bytes = new byte[mostBytes];
    }

    void add(KeyBatch from, int index) {
      int begin = from.ends[index];
      int length = from.ends[index + 1] - begin;
      ids[size] = from.ids[index];
      System.arraycopy(from.bytes, begin, bytes, ends[size], length);
      ends[size + 1] = ends[size] + length;
      size++;
    }

    KeyBatch build() {
      return new KeyBatch(
          Arrays.copyOf(ids, size),
          Arrays.copyOf(ends, size + 1),
          Arrays.copyOf(bytes, ends[size]));
    }
  }

  int size() {
    return ids.length;
  }

  /** About how much memory it takes, bytes. */
  long bytes() {
    return (long) (Long.BYTES + Integer.BYTES) * ids.length + bytes.length;
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
