/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * How an arena's file is laid out. All numbers are little-endian.
 *
 * <pre>
 * file    head (4,096 bytes), then sets of {@value #WAYS} slots
 * head    magic 8 · format 4 · slot's bytes 4 · sets 8 · incarnation 8 · table 16 · CRC32C 4
 *         at 64: heartbeat 8 · at 72: state 4
 * slot    sequence 8 · hash 8 · micros 8 · client 8 · key's bytes 4 · body's bytes 4 · CRC32C 4
 *         · key · body · … · sequence 8, the slot's last bytes
 * </pre>
 *
 * <p>A sequence is odd while its slot is written, and grows with each write. The checksum covers
 * the sequence and all that follows it, but for itself. A slot whose hash is 0 is empty.
 *
 * @param table the table's identity, new when it is created again
 * @param slotBytes a multiple of 64
 * @param sets how many
 */
record ArenaLayout(UUID table, int slotBytes, long sets) {
  static final long MAGIC = 0x414E4552414E534BL; // "KSNARENA"
  static final int FORMAT = 1;
  static final int HEAD_BYTES = 4_096;
  static final int HEAD_CRC_AT = 48;
  static final int HEARTBEAT_AT = 64;
  static final int STATE_AT = 72;
  static final int WAYS = 8;

  static final int SEQUENCE_AT = 0;
  static final int HASH_AT = 8;
  static final int MICROS_AT = 16;
  static final int CLIENT_AT = 24;
  static final int KEY_BYTES_AT = 32;
  static final int BODY_BYTES_AT = 36;
  static final int CRC_AT = 40;
  static final int KEY_AT = 44;
  static final int TAIL_BYTES = Long.BYTES;
  static final int MIN_SLOT_BYTES = 128;
  static final int MAX_SLOT_BYTES = 1 << 20;
  static final int ALIGNMENT = 64;

  /** Nobody may read it yet. */
  static final int FILLING = 0;

  static final int LIVE = 1;

  /** Nobody may read it any more. */
  static final int DEAD = 2;

  ArenaLayout {
    if (slotBytes < MIN_SLOT_BYTES || slotBytes > MAX_SLOT_BYTES || slotBytes % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "slotBytes is "
              + slotBytes
              + ", and must be a multiple of "
              + ALIGNMENT
              + " from "
              + MIN_SLOT_BYTES
              + " to "
              + MAX_SLOT_BYTES);
    }
    if (sets < 1 || sets > Integer.MAX_VALUE / WAYS) {
      throw new IllegalArgumentException(
          "sets are " + sets + ", and must be 1 to " + Integer.MAX_VALUE / WAYS);
    }
  }

  /** As many sets as fit in so many bytes; at least one. */
  static ArenaLayout within(UUID table, int slotBytes, long bytes) {
    long setBytes = (long) WAYS * slotBytes;
    long sets = Math.max(1, (bytes - HEAD_BYTES) / setBytes);
    return new ArenaLayout(table, slotBytes, Math.min(sets, Integer.MAX_VALUE / WAYS));
  }

  long setBytes() {
    return (long) WAYS * slotBytes;
  }

  long fileBytes() {
    return HEAD_BYTES + sets * setBytes();
  }

  /** How long key and body together may be. */
  int roomBytes() {
    return slotBytes - KEY_AT - TAIL_BYTES;
  }

  long setOf(long hash) {
    return Long.remainderUnsigned(hash, sets);
  }

  /** Returns the head's part that never changes. */
  ByteBuffer head(long incarnation) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_CRC_AT + Integer.BYTES);
    head.order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(MAGIC).putInt(FORMAT).putInt(slotBytes).putLong(sets).putLong(incarnation);
    head.putLong(table.getMostSignificantBits()).putLong(table.getLeastSignificantBits());
    head.putInt(checksum(head.duplicate().flip()));
    return head.flip();
  }

  /**
   * Returns the layout that a head tells.
   *
   * @param head its first bytes, little-endian
   * @param fileBytes how long the file is
   * @throws IllegalArgumentException if it is no head of such a file
   */
  static ArenaLayout read(ByteBuffer head, long fileBytes) {
    if (head.remaining() < HEAD_CRC_AT + Integer.BYTES || head.getLong(0) != MAGIC) {
      throw new IllegalArgumentException("no arena");
    }
    int stored = head.getInt(HEAD_CRC_AT);
    if (checksum(head.duplicate().limit(HEAD_CRC_AT).position(0)) != stored) {
      throw new IllegalArgumentException("its head is damaged");
    }
    if (head.getInt(8) != FORMAT) {
      throw new IllegalArgumentException(
          "its format is " + head.getInt(8) + ", known is " + FORMAT);
    }
    UUID table = new UUID(head.getLong(32), head.getLong(40));
    ArenaLayout layout = new ArenaLayout(table, head.getInt(12), head.getLong(16));
    if (layout.fileBytes() != fileBytes) {
      throw new IllegalArgumentException(
          "it has " + fileBytes + " bytes, and its head says " + layout.fileBytes());
    }
    return layout;
  }

  /** Returns a file's first bytes, as many as a head has. */
  static ByteBuffer headOf(FileChannel file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (head.hasRemaining() && file.read(head) >= 0) {
      // on to the next part
    }
    return head.flip();
  }

  static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
