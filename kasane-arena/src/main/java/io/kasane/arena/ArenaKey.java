/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key of a table: a partition and an item of it, and 128 bits that every process gets from them.
 */
public final class ArenaKey {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

  /** What a slot has that no key has. */
  static final ArenaKey NONE = new ArenaKey();

  private final byte[] bytes;
  private final long hash;
  private final long check;

  private ArenaKey() {
    this.bytes = new byte[0];
    this.hash = 0;
    this.check = 0;
  }

  private ArenaKey(byte[] bytes) {
    this.bytes = bytes;
    long a = PRIME_1 ^ bytes.length;
    long b = PRIME_2 + bytes.length;
    for (int at = 0; at < bytes.length; at += Long.BYTES) {
      long word = 0;
      for (int i = Math.min(bytes.length, at + Long.BYTES) - 1; i >= at; i--) {
        word = word << Byte.SIZE | (bytes[i] & 0xFF);
      }
      a = mix(a ^ word * PRIME_1);
      b = mix(b + Long.rotateLeft(word, 32) * PRIME_2);
    }
    long mixed = mix(a + b);
    this.hash = mixed == 0 ? 1 : mixed;
    this.check = mix(b ^ Long.rotateLeft(a, 17));
  }

  /**
   * The key of an item; the buffers' positions stay.
   *
   * @param item empty where a partition is no collection
   */
  public static ArenaKey of(ByteBuffer partition, ByteBuffer item) {
    ByteBuffer key = ByteBuffer.allocate(Integer.BYTES + partition.remaining() + item.remaining());
    key.putInt(partition.remaining()).put(partition.duplicate()).put(item.duplicate());
    return new ArenaKey(key.array());
  }

  /**
   * A key from bytes that somebody sent: one that no table has, if they are no key's; nobody may
   * change them from then on.
   */
  public static ArenaKey ofBytes(byte[] bytes) {
    return new ArenaKey(bytes);
  }

  /** Returns its bytes; nobody may change them. */
  public byte[] toBytes() {
    return bytes;
  }

  /** Returns its partition; nobody may change it. */
  public ByteBuffer partition() {
    ByteBuffer all = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    int length = all.getInt();
    return all.limit(Integer.BYTES + length).slice();
  }

  /** How many bytes it takes in a slot. */
  public int length() {
    return bytes.length;
  }

  /** Returns what decides its set, and is never 0. */
  long hash() {
    return hash;
  }

  /** Returns more bits, independent of the hash. */
  long check() {
    return check;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The finalizer of splitmix64: a bijection that spreads each bit over all. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArenaKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return (int) hash;
  }
}
