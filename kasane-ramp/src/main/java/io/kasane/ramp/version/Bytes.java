/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that nobody changes, equal by content and ordered as Cassandra orders blobs: unsigned. */
public final class Bytes implements Comparable<Bytes> {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private static final int FNV_OFFSET = 0x811C9DC5;
  private static final int FNV_PRIME = 0x01000193;

  private final byte[] array;

  /** 0 until somebody asks: values are many bytes, and nobody looks one up. */
  private int hash;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** A copy of these bytes. */
  public static Bytes copyOf(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array.clone());
  }

  /** A copy of what is left in the buffer, whose position stays. */
  public static Bytes copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.duplicate().get(copy);
    return copy.length == 0 ? EMPTY : new Bytes(copy);
  }

  /**
   * A copy of the next bytes of a buffer.
   *
   * @throws java.nio.BufferUnderflowException if there are not so many
   */
  static Bytes read(ByteBuffer in, int length) {
    if (length == 0) {
      return EMPTY;
    }
    byte[] copy = new byte[length];
    in.get(copy);
    return new Bytes(copy);
  }

  /** The text in UTF-8. */
  public static Bytes utf8(String text) {
    return text.isEmpty() ? EMPTY : new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** How many bytes there are. */
  public int length() {
    return array.length;
  }

  /** The byte at an index from 0. */
  byte at(int index) {
    return array[index];
  }

  /** A copy. */
  public byte[] toArray() {
    return array.clone();
  }

  /** Whether all of them are of ASCII. */
  boolean isAscii() {
    for (byte each : array) {
      if (each < 0) {
        return false;
      }
    }
    return true;
  }

  /** A view that cannot be written to. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(array).asReadOnlyBuffer();
  }

  /** The bytes as text, taken for UTF-8. */
  public String toUtf8() {
    return new String(array, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = fnv1a();
      hash = known;
    }
    return known;
  }

  /** That of arrays gives neighbouring numbers as bytes the same hash, seven at a time. */
  private int fnv1a() {
    int mixed = FNV_OFFSET;
    for (byte each : array) {
      mixed = (mixed ^ each) * FNV_PRIME;
    }
    return mixed;
  }

  /** In hexadecimal, as CQL writes blobs. */
  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(array);
  }
}
