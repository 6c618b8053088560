/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.wire;

import io.kasane.arena.RemoteSlots;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a server says of memory that a client may read by itself, after its address by OpenUCX;
 * numbers are big-endian.
 *
 * <pre>
 * head of the arena's file, file's length 8, number of parts 2,
 * each: where in the file 8, address 8, length 8, key's length 2, key
 * </pre>
 */
public final class MemoryFrames {
  private static final int MAX_PARTS = 4_096;
  private static final int MAX_KEY_BYTES = 4_096;

  /**
   * A part of an arena's file, in the server's memory.
   *
   * @param at where in the file it begins
   * @param address where it is, for whoever has the key
   * @param key that OpenUCX makes and reads
   */
  @SuppressWarnings("ArrayRecordComponent") // once a connection, never compared
  public record Part(long at, long address, long length, byte[] key) {}

  /**
   * An arena that a client may read by itself.
   *
   * @param head the file's first bytes, as {@link RemoteSlots} wants them
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Memory(byte[] head, long fileBytes, List<Part> parts) {}

  private MemoryFrames() {}

  /** Tells a client. */
  public static void write(DataOutputStream out, Memory memory) throws IOException {
    out.write(memory.head());
    out.writeLong(memory.fileBytes());
    out.writeShort(memory.parts().size());
    for (Part part : memory.parts()) {
      out.writeLong(part.at());
      out.writeLong(part.address());
      out.writeLong(part.length());
      out.writeShort(part.key().length);
      out.write(part.key());
    }
    out.flush();
  }

  /** Returns what a server tells. */
  public static Memory read(DataInputStream in) throws IOException {
    byte[] head = bytes(in, RemoteSlots.HEAD_BYTES);
    long fileBytes = in.readLong();
    int count = in.readUnsignedShort();
    if (count > MAX_PARTS) {
      throw new MalformedFrameException(count + " parts of memory");
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = in.readLong();
      long address = in.readLong();
      long length = in.readLong();
      int keyBytes = in.readUnsignedShort();
      if (at < 0 || length < 0 || keyBytes > MAX_KEY_BYTES) {
        throw new MalformedFrameException(
            length + " bytes of memory at " + at + ", with a key of " + keyBytes);
      }
      parts.add(new Part(at, address, length, bytes(in, keyBytes)));
    }
    return new Memory(head, fileBytes, Collections.unmodifiableList(parts));
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new MalformedFrameException("the connection ended in what it says of memory");
    }
    return bytes;
  }
}
