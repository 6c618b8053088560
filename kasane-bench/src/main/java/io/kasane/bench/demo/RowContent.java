/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import java.nio.ByteBuffer;

/**
 * What a row must contain, worked out of its key and version, so that any read can be checked
 * without keeping the data: {@value #MIN_BYTES} to {@value #MAX_BYTES} bytes that do not compress.
 */
final class RowContent {
  static final int MIN_BYTES = 500;
  static final int MAX_BYTES = 1000;

  /** The step and mixing constants of SplitMix64. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private RowContent() {}

  /** Returns the length of a row's payload. */
  static int length(int key, int version) {
    return MIN_BYTES
        + (int) Long.remainderUnsigned(mix(seed(key, version)), MAX_BYTES - MIN_BYTES + 1);
  }

  /** Returns a row's payload. */
  static ByteBuffer payload(int key, int version) {
    long state = seed(key, version);
    int length = length(key, version);
    ByteBuffer payload = ByteBuffer.allocate((length + Long.BYTES) / Long.BYTES * Long.BYTES);
    while (payload.hasRemaining()) {
      state += GOLDEN;
      payload.putLong(mix(state));
    }
    return payload.flip().limit(length);
  }

  /** Returns how many bytes of payload the first versions of all rows have together. */
  static long totalBytes(int rows) {
    long sum = 0;
    for (int key = 0; key < rows; key++) {
      sum += length(key, 0);
    }
    return sum;
  }

  private static long seed(int key, int version) {
    return mix(((long) key << 32) | version);
  }

  private static long mix(long value) {
    long z = value + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
