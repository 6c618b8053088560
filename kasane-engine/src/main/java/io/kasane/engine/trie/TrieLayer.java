/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.spi.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The entries of one layer: keys without what all keys of the layer begin with. A key that is
 * longer than a layer takes is cut there, and a <em>pointer</em> stands for all that begin alike:
 * its value is the number of the layer that has the rest of them. So the order of keys is kept: the
 * trie of B+ trees of Mao, Kohler and Morris, "Cache craftiness for fast multicore key-value
 * storage" (EuroSys 2012, section 4), with slices of hundreds of bytes instead of eight.
 *
 * <pre>
 * first layer   00 key              value          a key of up to n - 2 bytes
 *               00 n - 2 bytes 00   layer          what longer keys begin with
 * other layers  01 layer key        value          the rest of a key, of up to n - 10 bytes
 *               01 layer n - 10 bytes 00   layer
 * next layer    02                  layer          the first number that is free
 * </pre>
 *
 * <p>{@code n} is the longest key that the engine takes, a layer's number has eight bytes.
 */
final class TrieLayer {
  static final byte[] NEXT_LAYER_KEY = {2};

  /** 0 is the first layer. */
  static final long FIRST_FREE = 1;

  // First and last bytes of keys, as drawn above.
  private static final byte ROOT = 0;
  private static final byte BELOW = 1;
  private static final byte POINTER = 0;

  private final byte[] prefix;
  private final int mostBytes;

  private TrieLayer(byte[] prefix, int engineKeyBytes) {
    this.prefix = prefix;
    this.mostBytes = engineKeyBytes - prefix.length - 1;
  }

  /** The first layer, where every key begins. */
  static TrieLayer root(int engineKeyBytes) {
    return new TrieLayer(new byte[] {ROOT}, engineKeyBytes);
  }

  /** The layer of a number. */
  static TrieLayer below(long number, int engineKeyBytes) {
    byte[] prefix = ByteBuffer.allocate(1 + Long.BYTES).put(BELOW).putLong(number).array();
    return new TrieLayer(prefix, engineKeyBytes);
  }

  static byte[] numberBytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** The longest key that needs no other layer. */
  int mostBytes() {
    return mostBytes;
  }

  boolean takes(byte[] key) {
    return key.length <= mostBytes;
  }

  /** The engine's key of a key that the layer takes. */
  byte[] entry(byte[] key) {
    return join(prefix, key, key.length, new byte[0]);
  }

  /** The engine's key of what a longer key begins with. */
  byte[] pointer(byte[] key) {
    return join(prefix, key, mostBytes, new byte[] {POINTER});
  }

  byte[] rest(byte[] key) {
    return Arrays.copyOfRange(key, mostBytes, key.length);
  }

  boolean isPointer(byte[] engineKey) {
    return engineKey.length == prefix.length + mostBytes + 1;
  }

  /** What an engine's key says in this layer; of a pointer what all keys behind it begin with. */
  byte[] keyOf(byte[] engineKey) {
    int end = isPointer(engineKey) ? engineKey.length - 1 : engineKey.length;
    return Arrays.copyOfRange(engineKey, prefix.length, end);
  }

  /** The engine's keys of all of {@code range} that begins in this layer, with pointers to it. */
  KeyRange engineRange(KeyRange range) {
    byte[] from = takes(range.from()) ? entry(range.from()) : pointer(range.from());
    return KeyRange.of(from, end(range.to()));
  }

  private byte[] end(byte[] to) {
    if (to == null) {
      byte[] next = prefix.clone();
      for (int i = next.length - 1; ++next[i] == 0; i--) {} // no layer has the greatest number
      return next;
    }
    if (takes(to)) {
      return entry(to);
    }
    byte[] behindPointer = pointer(to);
    behindPointer[behindPointer.length - 1]++;
    return behindPointer;
  }

  /** What is left of {@code range} in the layer behind a pointer to all that begins so. */
  KeyRange rangeBehind(byte[] beginning, KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    return KeyRange.of(
        begins(from, beginning) ? rest(from) : new byte[0],
        to != null && begins(to, beginning) ? rest(to) : null);
  }

  private boolean begins(byte[] key, byte[] beginning) {
    return key.length > mostBytes
        && Arrays.equals(key, 0, mostBytes, beginning, 0, beginning.length);
  }

  static byte[] join(byte[] first, byte[] second) {
    return join(first, second, second.length, new byte[0]);
  }

  private static byte[] join(byte[] first, byte[] second, int secondBytes, byte[] third) {
    byte[] all = Arrays.copyOf(first, first.length + secondBytes + third.length);
    System.arraycopy(second, 0, all, first.length, secondBytes);
    System.arraycopy(third, 0, all, first.length + secondBytes, third.length);
    return all;
  }
}
