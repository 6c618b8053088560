/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Where LMDB reads a key: outside the heap, one for each thread. */
final class KeyBuffer {
  /** Fixed when LMDB is compiled; {@code LmdbEngine} checks it. */
  static final int MAX_BYTES = 511;

  private static final ThreadLocal<KeyBuffer> OF_THREAD = ThreadLocal.withInitial(KeyBuffer::new);

  private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
  private final UnsafeBuffer key = new UnsafeBuffer(memory);

  private KeyBuffer() {}

  /** Returns {@code bytes} for LMDB to read, until the thread asks again. */
  static DirectBuffer of(byte[] bytes) {
    KeyBuffer buffer = OF_THREAD.get();
    buffer.memory.putBytes(0, bytes);
    buffer.key.wrap(buffer.memory, 0, bytes.length);
    return buffer.key;
  }

  static byte[] copy(DirectBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.getBytes(0, bytes);
    return bytes;
  }
}
