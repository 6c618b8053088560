/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

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
 * The bytes of a {@link SkipIndexLog}:
 *
 * <pre>
 * file    = magic(8) record*
 * record  = length(4) crc32(4) payload
 * payload = 1 slow homes tokens   rows of a slow SSTable that reads may leave out
 *         | 2 inputs outputs        a compaction, after all records of what it dropped
 *         | 3 copies sources        SSTables whose rows all lie in others
 *         | 4 tokens                rows of copies that a compaction dropped
 *         | 5 copies                SSTables whose rows all lie in the sources of the last record of
 *                                   kind 3 that had more than {@value #FEW_SOURCES}
 * </pre>
 *
 * <p>A record has {@value #MAX_TOKENS} tokens at most; more are in several. What was dropped comes
 * before the compaction that dropped it, so that a file which is torn between them does not know of
 * the compaction, and nothing rests on what came out of it.
 *
 * <p>A record that would name an SSTable which has no name for ever is empty, and not written.
 */
final class SkipIndexRecords {
  private static final long MAGIC = 0x4B41534152443033L; // "KASARD03", 03 being the version
  private static final int FRAME_BYTES = 8; // length and CRC
  private static final byte ADDED = 1; // kinds of record, part of the format: rows left out
  private static final byte MOVED = 2; // a compaction
  private static final byte COPIED = 3; // copies, and their sources
  private static final byte DROPPED = 4; // rows of copies
  private static final byte ALSO_COPIED = 5; // copies of the same sources
  private static final int MAX_TOKENS = 1 << 18; // 2 MiB: a record is held in memory

  /** Part of the format: which record one of kind 5 speaks of hangs on it. */
  static final int FEW_SOURCES = 64;

  /** More is no record of ours: there are not so many names. */
  private static final int MAX_BYTES = 1 << 26;

  private static final byte[] NONE = {}; // is not written

  private SkipIndexRecords() {}

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

  interface Reader {
    void record(byte[] payload) throws IOException;
  }

  /**
   * Calls back for each whole record.
   *
   * @return where the last of them ends; 0 if it is no such file
   */
  static long read(FileChannel channel, Reader reader) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(FRAME_BYTES);
    long end = 0;
    if (!fill(channel, head, end) || head.getLong() != MAGIC) {
      return 0;
    }
    end += Long.BYTES;
    while (fill(channel, head.clear(), end)) {
      int length = head.getInt();
      int crc = head.getInt();
      if (length < 1 || length > Math.min(MAX_BYTES, channel.size() - end - FRAME_BYTES)) {
        break;
      }
      byte[] payload = new byte[length];
      if (!fill(channel, ByteBuffer.wrap(payload), end + FRAME_BYTES) || crcOf(payload) != crc) {
        break;
      }
      reader.record(payload);
      end += FRAME_BYTES + length;
    }
    return end;
  }

  private static boolean fill(FileChannel from, ByteBuffer bytes, long at) throws IOException {
    long next = at;
    while (bytes.hasRemaining()) {
      int got = from.read(bytes, next);
      if (got < 0) {
        return false;
      }
      next += got;
    }
    bytes.flip();
    return true;
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

  /** Takes one record after the other. */
  interface Writer {
    void record(byte[] record) throws IOException;
  }

  static void added(String slow, List<String> homes, SortedTokenSet tokens, Writer to)
      throws IOException {
    if (slow == null || homes == null) {
      return;
    }
    inRecords(
        tokens,
        to,
        out -> {
          out.writeByte(ADDED);
          out.writeUTF(slow);
          writeNames(out, homes);
        });
  }

  /** SSTables that rows of later records rest on, though these name none. */
  static byte[] homes(List<String> homes) {
    return homes == null
        ? NONE
        : record(
            out -> {
              out.writeByte(ADDED);
              out.writeUTF("");
              writeNames(out, homes);
            });
  }

  /** A compaction without outputs would vouch for nothing, so it is not kept. */
  static void moved(List<String> inputs, List<String> outputs, SortedTokenSet dropped, Writer to)
      throws IOException {
    inRecords(dropped, to, out -> out.writeByte(DROPPED));
    if (inputs != null && outputs != null && !outputs.isEmpty()) {
      to.record(ofNames(MOVED, List.of(inputs, outputs)));
    }
  }

  private static void inRecords(SortedTokenSet tokens, Writer to, Body head) throws IOException {
    SortedTokenSet.Cursor all = tokens.cursor();
    while (all.isAtToken()) {
      to.record(
          record(
              out -> {
                head.write(out);
                for (int i = 0; i < MAX_TOKENS && all.isAtToken(); i++) {
                  out.writeLong(all.token());
                  all.next();
                }
              }));
    }
  }

  static byte[] copied(List<String> copies, List<String> sources) {
    return copies == null || copies.isEmpty() || sources == null
        ? NONE
        : ofNames(COPIED, List.of(copies, sources));
  }

  /** More copies of the many sources that were written last. */
  static byte[] alsoCopied(List<String> copies) {
    return copies == null ? NONE : ofNames(ALSO_COPIED, List.of(copies));
  }

  private static byte[] ofNames(byte kind, List<List<String>> lists) {
    return record(
        out -> {
          out.writeByte(kind);
          for (List<String> names : lists) {
            writeNames(out, names);
          }
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
    final Map<String, List<SortedTokenSet>> rows = new HashMap<>();
    final Set<String> homes = new HashSet<>();

    /** Copies of the same sources have the same object. */
    final Map<String, Set<String>> sourcesByCopy = new HashMap<>();

    private Set<String> manySources;
    private final Map<String, List<String>> successors = new HashMap<>();

    void record(byte[] payload) throws IOException {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
      switch (in.readByte()) {
        case ADDED -> {
          String slow = in.readUTF();
          homes.addAll(readNames(in));
          rows.computeIfAbsent(slow, s -> new ArrayList<>()).add(readTokens(in));
        }
        case MOVED -> {
          List<String> inputs = readNames(in);
          List<String> outputs = readNames(in);
          inputs.forEach(input -> successors.put(input, outputs));
        }
        case COPIED -> {
          List<String> copies = readNames(in);
          List<String> names = readNames(in);
          Set<String> sources = Set.copyOf(names);
          manySources = names.size() > FEW_SOURCES ? sources : manySources;
          copies.forEach(copy -> sourcesByCopy.put(copy, sources));
        }
        case ALSO_COPIED -> {
          if (manySources == null) {
            throw new IOException("copies of sources that were not told");
          }
          readNames(in).forEach(copy -> sourcesByCopy.put(copy, manySources));
        }
        case DROPPED -> {
          try (SortedTokenSet dropped = readTokens(in)) {
            rows.values().forEach(runs -> runs.forEach(run -> run.removeAll(dropped)));
          }
        }
        default -> throw new IOException("a record of a later version");
      }
    }

    private static SortedTokenSet readTokens(DataInputStream in) throws IOException {
      try (SortedTokenSetBuilder tokens = new SortedTokenSetBuilder(in.available() / Long.BYTES)) {
        while (in.available() > 0) {
          tokens.add(in.readLong());
        }
        return tokens.build();
      }
    }

    /** Gives the memory of {@link #rows} back. */
    void close() {
      rows.values().forEach(runs -> runs.forEach(SortedTokenSet::close));
      rows.clear();
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
        } else if (successors.containsKey(sstable)) {
          successors.get(sstable).stream().filter(seen::add).forEach(left::add);
        } else {
          return Optional.empty();
        }
      }
      return Optional.of(found);
    }
  }
}
