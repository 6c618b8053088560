/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;

/** Whole numbers from 0 to 2^31 - 1 as one to five bytes, seven bits each, the lowest first. */
final class VarInt {
  private static final int MAX_BYTES = 5;

  private VarInt() {}

  static int size(int value) {
    return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7);
  }

  static void put(int value, ByteBuffer out) {
    int rest = value;
    while (rest >= 0x80) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  static int get(ByteBuffer in) {
    long value = 0;
    for (int index = 0; index < MAX_BYTES; index++) {
      if (!in.hasRemaining()) {
        throw new CorruptVersionException("the siblings of a version end within a number");
      }
      byte next = in.get();
      value |= (next & 0x7FL) << (7 * index);
      if (next >= 0) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw new CorruptVersionException("a number among the siblings of a version is over 2^31 - 1");
  }
}
