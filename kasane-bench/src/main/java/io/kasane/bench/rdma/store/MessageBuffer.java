/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Memory that one side writes a message into and the other one polls, one message at a time.
 *
 * <p>As bytes: length (8), first indicator (8), body, CRC32C of the body (8, after padding to 8),
 * second indicator (8). The first indicator says that the length is there, the second one that all
 * is. The paper's are bytes that the receiver clears (Murata et al. 2016, section 3.1); these are
 * the message's number, so that nothing is to be cleared.
 */
public final class MessageBuffer {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int LENGTH_AT = 0;
  private static final int FIRST_AT = 8;
  private static final int BODY_AT = 16;
  private static final int TRAILER_BYTES = 3 * Long.BYTES;

  private final ByteBuffer memory;
  private final ByteBuffer body;
  private final CRC32C crc = new CRC32C();
  private long number;

  /**
   * A buffer in which nothing was ever written.
   *
   * @param memory zeros, at the start of a page
   */
  public MessageBuffer(ByteBuffer memory) {
    this.memory = memory;
    this.body = memory.slice(BODY_AT, memory.capacity() - BODY_AT - TRAILER_BYTES);
  }

  /** Where to write the next message. */
  public ByteBuffer begin() {
    return body.clear();
  }

  /** Lets the other side see what was written. */
  public void send() {
    int length = body.position();
    memory.putLong(LENGTH_AT, length);
    memory.putLong(crcAt(length), crc(length));
    number++;
    LONGS.setRelease(memory, crcAt(length) + Long.BYTES, number);
    LONGS.setRelease(memory, FIRST_AT, number);
  }

  /** The next message, to be read before anything is sent back; null if it is not there yet. */
  public ByteBuffer poll() {
    if ((long) LONGS.getAcquire(memory, FIRST_AT) != number + 1) {
      return null;
    }
    long length = memory.getLong(LENGTH_AT);
    if (length < 0 || length > body.capacity()) {
      throw new IllegalStateException("a message of " + length + " bytes");
    }
    if ((long) LONGS.getAcquire(memory, crcAt((int) length) + Long.BYTES) != number + 1) {
      return null;
    }
    if (memory.getLong(crcAt((int) length)) != crc((int) length)) {
      throw new IllegalStateException("a torn message of " + length + " bytes");
    }
    number++;
    return body.clear().limit((int) length);
  }

  private long crc(int length) {
    crc.reset();
    crc.update(body.duplicate().clear().limit(length));
    return crc.getValue();
  }

  private static int crcAt(int length) {
    return BODY_AT + (length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }
}
