/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.file;

import io.kasane.heat.key.HeatKey;
import io.kasane.heat.table.HeatEntry;
import io.kasane.heat.track.HeatTotals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * The bytes of a {@link HeatFile}. All numbers are big-endian.
 *
 * <pre>
 * file    = header frame* end
 * header  = magic 8 ("KSNEHEAT") | version 4 | keys, about 8 | crc 4
 * frame   = length 4 | crc 4 | payload            crc: CRC32C of length and payload
 * payload = halvings 4 | period 4 | accesses since halving 8 | accesses 8 | heat 8
 *           | sum of sizes 8 (double) | number of sizes 8 (double) | entries 4 | entry*
 * entry   = upper bits of the key 1 | the rest 8  as in {@link HeatKey} and {@link HeatEntry}
 * end     = a frame without entries
 * </pre>
 *
 * Keys come in their order. The numbers of a frame are of the moment at which its entries were
 * copied; those of the end are the newest.
 */
final class HeatFileFormat {
  static final long MAGIC = 0x4B534E4548454154L;
  static final int VERSION = 2;
  static final int HEADER_BYTES = 24;
  static final int FRAME_BYTES = 8;
  static final int PAYLOAD_BYTES = 52;
  static final int ENTRY_BYTES = 9;
  static final int END_BYTES = FRAME_BYTES + PAYLOAD_BYTES;
  private static final int COUNT_AT = FRAME_BYTES + PAYLOAD_BYTES - 4;
  private static final int MAX_FRAME_BYTES = 1 << 28;

  private HeatFileFormat() {}

  static ByteBuffer header(long keys) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(MAGIC).putInt(VERSION).putLong(keys);
    return header.putInt(crc(header.array(), 0, HEADER_BYTES - 4)).flip();
  }

  /** About how many keys follow; throws {@link Damaged} in words for an operator. */
  static long readHeader(FileChannel file) throws IOException, Damaged {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    if (!readFully(file, header)) {
      throw new Damaged("it is only " + file.size() + " bytes long");
    }
    header.flip();
    if (header.getLong() != MAGIC) {
      throw new Damaged("it is not a heat file");
    }
    int version = header.getInt();
    long keys = header.getLong();
    if (version != VERSION) {
      throw new Damaged("its format is version " + version + ", this is version " + VERSION);
    }
    if (header.getInt() != crc(header.array(), 0, HEADER_BYTES - 4)) {
      throw new Damaged("the checksum of its header is wrong");
    }
    return keys;
  }

  /** The next frame's payload; null at the end of the file, or where it is damaged. */
  static ByteBuffer readFrame(FileChannel file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(FRAME_BYTES);
    if (!readFully(file, head)) {
      return null;
    }
    int length = head.getInt(0);
    if (length < PAYLOAD_BYTES
        || length > MAX_FRAME_BYTES
        || length > file.size() - file.position()
        || (length - PAYLOAD_BYTES) % ENTRY_BYTES != 0) {
      return null;
    }
    ByteBuffer whole = ByteBuffer.allocate(4 + length).putInt(length);
    if (!readFully(file, whole) || crc(whole.array(), 0, 4 + length) != head.getInt(4)) {
      return null;
    }
    return whole.flip().position(4).slice();
  }

  static HeatTotals readTotals(ByteBuffer payload) {
    HeatTotals totals =
        new HeatTotals(
            payload.getInt(),
            payload.getInt(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getDouble(),
            payload.getDouble());
    payload.getInt(); // the number of entries, which the length tells, too
    return totals;
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static boolean readFully(FileChannel file, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (file.read(into) < 0) {
        return false;
      }
    }
    return true;
  }

  static void writeFully(FileChannel file, ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      file.write(from);
    }
  }

  /** Gathers the entries of one frame. Not thread-safe. */
  static final class Frame {
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 16).position(END_BYTES);
    private int count;

    /** Buffers one entry; called while a bucket is locked, so it never writes. */
    void add(long key, long entry) {
      if (bytes.remaining() < ENTRY_BYTES) {
        bytes = ByteBuffer.allocate(bytes.capacity() * 2).put(bytes.flip());
      }
      bytes.put((byte) (key >>> HeatEntry.KEY_BITS)).putLong(entry);
      count++;
    }

    boolean isEmpty() {
      return count == 0;
    }

    /** Writes it, and is empty then. Returns how many bytes. */
    int writeTo(FileChannel file, HeatTotals totals) throws IOException {
      int length = bytes.position() - FRAME_BYTES;
      bytes
          .putInt(8, totals.halvings())
          .putInt(12, totals.period())
          .putLong(16, totals.sinceAging())
          .putLong(24, totals.accesses())
          .putLong(32, totals.heat())
          .putDouble(40, totals.sizeSum())
          .putDouble(48, totals.sizeCount())
          .putInt(COUNT_AT, count)
          .putInt(4, length); // for the sum, which then takes this place
      int sum = crc(bytes.array(), 4, 4 + length);
      bytes.putInt(0, length).putInt(4, sum);
      writeFully(file, bytes.flip());
      clear();
      return FRAME_BYTES + length;
    }

    void clear() {
      bytes.clear().position(END_BYTES);
      count = 0;
    }
  }

  /** Why a file cannot be used, in words that follow "because". */
  static final class Damaged extends Exception {
    private static final long serialVersionUID = 1;

    Damaged(String reason) {
      super(reason);
    }
  }
}
