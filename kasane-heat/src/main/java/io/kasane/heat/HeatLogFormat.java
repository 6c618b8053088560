/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * The bytes of the two files of a {@link HeatLog}. All numbers are big-endian.
 *
 * <pre>
 * file      = header frame*
 * header    = magic 8 ("KSNEHEAT") | version 4 | kind 4 (1 snapshot, 2 log) | generation 8 | crc 4
 * frame     = length 4 | crc 4 | payload        crc: CRC32C of generation, length and payload
 * payload   = epoch 4 | period 4 | accesses since aging 8 | accesses 8 | heat 8
 *             | sum of sizes 8 (double) | number of sizes 8 (double) | entries 4 | entry*
 * entry     = key id 8 | heat 4 | size 4 | window 8      as in {@link HeatSegment}
 * </pre>
 *
 * A snapshot ends with a frame of no entries; without it the file is incomplete. A log may end
 * anywhere: what follows the last whole frame is ignored. The generation ties a log to its snapshot
 * and is part of each checksum, so frames of another generation never pass. An entry's heat is that
 * of its frame's epoch: a reader halves it once per later epoch.
 */
final class HeatLogFormat {
  static final long MAGIC = 0x4B534E4548454154L;
  static final int VERSION = 1;
  static final int SNAPSHOT = 1;
  static final int LOG = 2;
  static final int HEADER_BYTES = 28;
  static final int FRAME_BYTES = 8;
  static final int PAYLOAD_BYTES = 52;
  static final int ENTRY_BYTES = 24;
  private static final int COUNT_AT = FRAME_BYTES + PAYLOAD_BYTES - 4;
  private static final int FRAME_GOAL = 1 << 20;

  private HeatLogFormat() {}

  /** The numbers of a tracker that belong to no single key. */
  record Totals(
      int epoch,
      int period,
      long sinceAging,
      long accesses,
      long heat,
      double sizeSum,
      double sizeCount) {}

  static ByteBuffer header(int kind, long generation) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putLong(MAGIC).putInt(VERSION).putInt(kind).putLong(generation);
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, HEADER_BYTES - 4);
    return header.putInt((int) crc.getValue()).flip();
  }

  /** The generation in a file's header; throws {@link Damaged} in words for an operator. */
  static long readHeader(FileChannel file, int kind) throws IOException, Damaged {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    if (!readFully(file, header)) {
      throw new Damaged("it is only " + file.size() + " bytes long");
    }
    header.flip();
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, HEADER_BYTES - 4);
    if (header.getLong() != MAGIC) {
      throw new Damaged("it is not a heat file");
    }
    int version = header.getInt();
    int seenKind = header.getInt();
    long generation = header.getLong();
    if (header.getInt() != (int) crc.getValue()) {
      throw new Damaged("the checksum of its header is wrong");
    }
    if (version != VERSION) {
      throw new Damaged("its format is version " + version + ", this is version " + VERSION);
    }
    if (seenKind != kind) {
      throw new Damaged("it is of kind " + seenKind + " instead of " + kind);
    }
    return generation;
  }

  /**
   * Reads the next frame's payload, or returns null at the end of the file or at a frame that is
   * torn or damaged; the channel then stays at the start of that frame.
   */
  static ByteBuffer readFrame(FileChannel file, long generation) throws IOException {
    long start = file.position();
    ByteBuffer head = ByteBuffer.allocate(FRAME_BYTES);
    if (readFully(file, head)) {
      int length = head.getInt(0);
      boolean possible =
          length >= PAYLOAD_BYTES
              && (length - PAYLOAD_BYTES) % ENTRY_BYTES == 0
              && length <= file.size() - file.position();
      if (possible) {
        ByteBuffer payload = ByteBuffer.allocate(length);
        if (readFully(file, payload)
            && crc(generation, length, payload.array(), 0) == head.getInt(4)
            && payload.getInt(PAYLOAD_BYTES - 4) == (length - PAYLOAD_BYTES) / ENTRY_BYTES) {
          return payload.flip();
        }
      }
    }
    file.position(start);
    return null;
  }

  static Totals readTotals(ByteBuffer payload) {
    Totals totals =
        new Totals(
            payload.getInt(),
            payload.getInt(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getDouble(),
            payload.getDouble());
    payload.getInt(); // the count, checked with the frame
    return totals;
  }

  private static int crc(long generation, int length, byte[] bytes, int offset) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(12).putLong(generation).putInt(length).flip());
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

  /** Gathers entries into frames of about a megabyte. Not thread-safe. */
  static final class FrameWriter implements HeatSegment.EntryVisitor {
    private final FileChannel file;
    private final long generation;
    private final Totals totals;
    private ByteBuffer frame = ByteBuffer.allocate(1 << 16);
    private int epoch;
    private int count;

    FrameWriter(FileChannel file, long generation, Totals totals) {
      this.file = file;
      this.generation = generation;
      this.totals = totals;
      this.epoch = totals.epoch();
      frame.position(FRAME_BYTES + PAYLOAD_BYTES);
    }

    /** Buffers one entry; called under a segment's lock, so it never writes. */
    @Override
    public void visit(long keyId, int heat, int sizeBytes, long window) {
      if (frame.remaining() < ENTRY_BYTES) {
        ByteBuffer wider = ByteBuffer.allocate(frame.capacity() * 2);
        frame = wider.put(frame.flip());
      }
      frame.putLong(keyId).putInt(heat).putInt(sizeBytes).putLong(window);
      count++;
    }

    /** Says that the entries of the next segment come, which is of this epoch. */
    void segment(int segmentEpoch) throws IOException {
      if (segmentEpoch != epoch || frame.position() > FRAME_GOAL) {
        flush();
        epoch = segmentEpoch;
      }
    }

    /** Writes the entries gathered so far, if any. */
    void flush() throws IOException {
      if (count > 0) {
        writeFrame();
      }
    }

    /** Writes what is gathered and, to mark the end, a frame without entries. */
    void finish() throws IOException {
      flush();
      writeFrame();
    }

    private void writeFrame() throws IOException {
      int length = frame.position() - FRAME_BYTES;
      frame
          .putInt(0, length)
          .putInt(8, epoch)
          .putInt(12, totals.period())
          .putLong(16, totals.sinceAging())
          .putLong(24, totals.accesses())
          .putLong(32, totals.heat() >> Math.min(63, epoch - totals.epoch()))
          .putDouble(40, totals.sizeSum())
          .putDouble(48, totals.sizeCount())
          .putInt(COUNT_AT, count)
          .putInt(4, crc(generation, length, frame.array(), FRAME_BYTES));
      writeFully(file, frame.flip());
      frame.clear().position(FRAME_BYTES + PAYLOAD_BYTES);
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
