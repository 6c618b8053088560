/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The bytes of a {@link RedundancyLog}:
 *
 * <pre>
 * file    = magic(8) record*
 * record  = length(4) crc32(4) payload
 * payload = 1 slow homes keys       rows of a slow SSTable that reads may leave out
 *         | 2 inputs outputs keys   a compaction; keys: rows of copies that are in no output
 *         | 3 copies sources        SSTables whose rows all lie in others
 * </pre>
 *
 * <p>A record that would name an SSTable which has no name for ever is empty, and not written.
 */
final class RedundancyRecords {
  private static final long MAGIC = 0x4B41534152443032L;
  private static final int FRAME_BYTES = 8;
  private static final byte ADDED = 1;
  private static final byte MOVED = 2;
  private static final byte COPIED = 3;
  private static final byte[] NONE = {};

  private RedundancyRecords() {}

  static void begin(FileChannel empty) throws IOException {
    empty.truncate(0);
    empty.position(0);
    write(empty, ByteBuffer.allocate(Long.BYTES).putLong(0, MAGIC));
  }

  static void write(FileChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  /** How much of a file is whole; 0 if it is no such file. */
  static long validBytes(FileChannel channel) throws IOException {
    long[] end = {0};
    read(channel, (payload, after) -> end[0] = after);
    return end[0];
  }

  interface Reader {
    void record(byte[] payload, long endsAt) throws IOException;
  }

  /** Calls back with an empty payload for the head of the file, then for each whole record. */
  static void read(FileChannel channel, Reader reader) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) Math.min(Integer.MAX_VALUE - 8, channel.size()));
    long at = 0;
    while (all.hasRemaining()) {
      int got = channel.read(all, at);
      if (got < 0) {
        break;
      }
      at += got;
    }
    all.flip();
    if (all.remaining() < Long.BYTES || all.getLong() != MAGIC) {
      return;
    }
    reader.record(NONE, all.position());
    while (all.remaining() >= FRAME_BYTES) {
      int length = all.getInt();
      int crc = all.getInt();
      if (length < 1 || length > all.remaining()) {
        return;
      }
      byte[] payload = new byte[length];
      all.get(payload);
      if (crcOf(payload) != crc) {
        return;
      }
      reader.record(payload, all.position());
    }
  }

  private static int crcOf(byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(payload);
    return (int) crc.getValue();
  }

  // Writing. A null name or list of names: an SSTable has none.

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] record(Body body) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      body.write(new DataOutputStream(bytes));
      byte[] payload = bytes.toByteArray();
      return ByteBuffer.allocate(FRAME_BYTES + payload.length)
          .putInt(payload.length)
          .putInt(crcOf(payload))
          .put(payload)
          .array();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] added(String slow, List<String> homes, KeyBatch rows) {
    if (slow == null || homes == null) {
      return NONE;
    }
    return record(
        out -> {
          out.writeByte(ADDED);
          out.writeUTF(slow);
          writeNames(out, homes);
          rows.writeTo(out);
        });
  }

  /** A compaction without outputs would vouch for nothing, so it is not kept. */
  static byte[] moved(List<String> inputs, List<String> outputs, KeyBatch dropped) {
    boolean known = inputs != null && outputs != null && !outputs.isEmpty();
    if (!known && dropped.size() == 0) {
      return NONE;
    }
    return record(
        out -> {
          out.writeByte(MOVED);
          writeNames(out, known ? inputs : List.of());
          writeNames(out, known ? outputs : List.of());
          dropped.writeTo(out);
        });
  }

  static byte[] copied(List<String> copies, List<String> sources) {
    if (copies == null || sources == null) {
      return NONE;
    }
    return record(
        out -> {
          out.writeByte(COPIED);
          writeNames(out, copies);
          writeNames(out, sources);
        });
  }

  private static void writeNames(DataOutputStream out, List<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  private static List<String> readNames(DataInputStream in) throws IOException {
    List<String> names = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      names.add(in.readUTF());
    }
    return names;
  }

  /** What the records of a file say, one after the other. */
  static final class Replay {
    final Map<String, List<KeyBatch>> rows = new HashMap<>();
    final Set<String> homes = new HashSet<>();
    final Map<String, Set<String>> sourcesByCopy = new HashMap<>();
    private final Map<String, List<String>> heirs = new HashMap<>();

    void record(byte[] payload, long endsAt) throws IOException {
      if (payload.length == 0) {
        return;
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
      switch (in.readByte()) {
        case ADDED -> {
          String slow = in.readUTF();
          homes.addAll(readNames(in));
          rows.computeIfAbsent(slow, s -> new ArrayList<>()).add(KeyBatch.readFrom(in));
        }
        case MOVED -> {
          List<String> inputs = readNames(in);
          List<String> outputs = readNames(in);
          inputs.forEach(input -> heirs.put(input, outputs));
          KeyBatch dropped = KeyBatch.readFrom(in);
          if (dropped.size() > 0) {
            rows.values().forEach(batches -> batches.replaceAll(b -> b.without(dropped)));
          }
        }
        case COPIED -> {
          List<String> copies = readNames(in);
          Set<String> sources = Set.copyOf(readNames(in));
          copies.forEach(copy -> sourcesByCopy.put(copy, sources));
        }
        default -> throw new IOException("a record of a later version");
      }
    }

    /** The live SSTables that hold the rows of others now; nothing if the trace is lost. */
    Optional<Set<String>> whereAre(Collection<String> sstables, Set<String> live) {
      Set<String> found = new HashSet<>();
      Set<String> seen = new HashSet<>(sstables);
      Deque<String> left = new ArrayDeque<>(seen);
      while (!left.isEmpty()) {
        String sstable = left.poll();
        if (live.contains(sstable)) {
          found.add(sstable);
        } else if (heirs.containsKey(sstable)) {
          heirs.get(sstable).stream().filter(seen::add).forEach(left::add);
        } else {
          return Optional.empty();
        }
      }
      return Optional.of(found);
    }
  }
}
