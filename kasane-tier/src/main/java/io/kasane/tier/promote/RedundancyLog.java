/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries {@link RedundantRows} over a restart or a kill -9, for SSTables whose names never come
 * again. What it holds stays true, since SSTables never change; and a lost record costs speed,
 * never a row: without the record of a compaction its inputs are gone with no heirs, and nothing is
 * used. So nothing is forced to disk, and an old file does no harm.
 *
 * <p>A file of records, each with its length and a CRC-32; it ends at the first that is torn.
 * Rewritten when it has grown to twice what it needs. A file that cannot be written is deleted, and
 * nothing is kept until the next start. Thread-safe.
 *
 * @param <S> identifies an SSTable
 */
public final class RedundancyLog<S> implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(RedundancyLog.class);
  private static final long MAGIC = 0x4B41534152443031L;
  private static final int FRAME_BYTES = 8;
  private static final long SMALL_BYTES = 1 << 20;
  private static final byte ADDED = 1;
  private static final byte MOVED = 2;

  private final Path file;
  private final Function<S, String> nameOf;
  private FileChannel channel;
  private ByteArrayOutputStream sinceRewrite; // null: no rewrite under way
  private long bytesAfterRewrite;

  /**
   * Opens the file, or begins it.
   *
   * @param nameOf an SSTable's name, or null if another one may have it some day
   */
  public RedundancyLog(Path file, Function<S, String> nameOf) {
    this.file = file;
    this.nameOf = nameOf;
    try {
      Files.createDirectories(file.getParent());
      channel = open(file);
      long whole = validBytes();
      if (whole == 0) {
        begin(channel);
      } else {
        channel.truncate(whole);
      }
      channel.position(channel.size());
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  private static void begin(FileChannel empty) throws IOException {
    empty.truncate(0);
    empty.position(0);
    write(empty, ByteBuffer.allocate(Long.BYTES).putLong(0, MAGIC));
  }

  private static void write(FileChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  private long validBytes() throws IOException {
    long[] end = {0};
    read((payload, after) -> end[0] = after);
    return end[0];
  }

  private interface Reader {
    void record(byte[] payload, long endsAt) throws IOException;
  }

  /** Calls back with an empty payload for the head of the file, then for each whole record. */
  private void read(Reader reader) throws IOException {
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
    reader.record(new byte[0], all.position());
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

  // What RedundantRows says, in the order in which it happens.

  synchronized void added(S slow, KeyBatch rows, Collection<S> homes) {
    List<String> names = names(homes);
    if (channel != null && nameOf.apply(slow) != null && names != null) {
      append(addedRecord(nameOf.apply(slow), rows, names));
    }
  }

  /**
   * SSTables hand their rows on; without outputs that would vouch for nothing, so it is not kept.
   */
  synchronized void moved(Collection<S> inputs, Collection<S> outputs, KeyBatch dropped) {
    if (channel == null) {
      return;
    }
    List<String> from = names(inputs);
    List<String> to = names(outputs);
    boolean known = from != null && to != null && !to.isEmpty();
    if (known || dropped.size() > 0) {
      append(movedRecord(known ? from : List.of(), known ? to : List.of(), dropped));
    }
  }

  synchronized void cleared() {
    if (channel == null) {
      return;
    }
    sinceRewrite = null; // what is being written there is forgotten, too
    bytesAfterRewrite = 0;
    try {
      begin(channel);
    } catch (IOException e) {
      giveUp(e);
    }
  }

  /** The names, or null if one has none. */
  private List<String> names(Collection<S> sstables) {
    List<String> names = new ArrayList<>();
    for (S sstable : sstables) {
      String name = nameOf.apply(sstable);
      if (name == null) {
        return null;
      }
      names.add(name);
    }
    return names;
  }

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

  private static byte[] addedRecord(String slow, KeyBatch rows, List<String> homes) {
    return record(
        out -> {
          out.writeByte(ADDED);
          out.writeUTF(slow);
          writeNames(out, homes);
          rows.writeTo(out);
        });
  }

  private static byte[] movedRecord(List<String> inputs, List<String> outputs, KeyBatch dropped) {
    return record(
        out -> {
          out.writeByte(MOVED);
          writeNames(out, inputs);
          writeNames(out, outputs);
          dropped.writeTo(out);
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

  private void append(byte[] record) {
    try {
      write(channel, ByteBuffer.wrap(record));
      if (sinceRewrite != null) {
        sinceRewrite.write(record);
      }
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private synchronized void giveUp(IOException why) {
    logger.warn(
        "Cannot write {} ({}): after the next restart rows that were copied are read from slow until"
            + " they are copied again. Free space there or set heat_directory in kasane.yaml.",
        file,
        why.toString());
    close();
    deleteQuietly(file);
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      logger.debug("Could not delete {}", path, e);
    }
  }

  private static void closeQuietly(FileChannel open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        logger.debug("Could not close a file", e);
      }
    }
  }

  // Rewriting.

  synchronized boolean hasOutgrown() {
    try {
      return channel != null
          && sinceRewrite == null
          && channel.size() > Math.max(SMALL_BYTES, 2 * bytesAfterRewrite);
    } catch (IOException e) {
      return false;
    }
  }

  /** Called at the moment at which what {@link #rewrite} gets is complete. */
  synchronized void beginRewrite() {
    sinceRewrite = new ByteArrayOutputStream();
  }

  /** Replaces the file; records that came since {@link #beginRewrite} follow. */
  void rewrite(Map<S, List<KeyBatch>> rows, Set<S> homes, Map<S, Set<S>> heirs) {
    Path next = next(file);
    FileChannel fresh = null;
    try {
      fresh = open(next);
      begin(fresh);
      List<String> homeNames = names(homes);
      for (Map.Entry<S, List<KeyBatch>> slow : rows.entrySet()) {
        String name = nameOf.apply(slow.getKey());
        if (name != null && homeNames != null) {
          byte[] record = addedRecord(name, KeyBatch.union(slow.getValue()), homeNames);
          write(fresh, ByteBuffer.wrap(record));
        }
      }
      for (Map.Entry<S, Set<S>> handedOn : heirs.entrySet()) {
        String from = nameOf.apply(handedOn.getKey());
        List<String> to = names(handedOn.getValue());
        if (from != null && to != null && !to.isEmpty()) {
          byte[] record = movedRecord(List.of(from), to, KeyBatch.of(List.of()));
          write(fresh, ByteBuffer.wrap(record));
        }
      }
      replaceBy(fresh, next);
    } catch (IOException e) {
      giveUp(e);
      closeQuietly(fresh);
      deleteQuietly(next);
    }
  }

  private synchronized void replaceBy(FileChannel fresh, Path next) throws IOException {
    if (channel == null || sinceRewrite == null) {
      fresh.close();
      Files.deleteIfExists(next);
      return;
    }
    write(fresh, ByteBuffer.wrap(sinceRewrite.toByteArray()));
    sinceRewrite = null;
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    channel.close();
    channel = fresh;
    bytesAfterRewrite = fresh.size();
  }

  // After a restart.

  /**
   * What was kept.
   *
   * @param rows keys by slow SSTable
   * @param homes live SSTables that hold them
   */
  record Kept<S>(Map<S, KeyBatch> rows, Set<S> homes) {}

  /** Reads what still holds; nothing if a home is gone and no record says where its rows are. */
  synchronized Kept<S> read(Map<String, S> live) {
    Kept<S> nothing = new Kept<>(Map.of(), Set.of());
    if (channel == null) {
      return nothing;
    }
    Replay replay = new Replay();
    try {
      read(replay::record);
    } catch (IOException e) {
      giveUp(e);
      return nothing;
    }
    Set<String> homes = new HashSet<>();
    for (String home : replay.homes) {
      if (!replay.addWhereDataIsNow(home, live.keySet(), homes, 0)) {
        logger.info("{} is gone: nothing that {} says is used", home, file);
        cleared();
        return nothing;
      }
    }
    Map<S, KeyBatch> rows = new HashMap<>();
    replay.rows.forEach(
        (slow, batches) -> {
          if (live.containsKey(slow)) {
            rows.put(live.get(slow), KeyBatch.union(batches));
          }
        });
    Set<S> found = new HashSet<>();
    homes.forEach(home -> found.add(live.get(home)));
    return new Kept<>(rows, found);
  }

  private static final class Replay {
    private static final int LONGEST_TRACE = 1_000;

    private final Map<String, List<KeyBatch>> rows = new HashMap<>();
    private final Set<String> homes = new HashSet<>();
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
        default -> throw new IOException("a record of a later version");
      }
    }

    boolean addWhereDataIsNow(String home, Set<String> live, Set<String> found, int depth) {
      if (live.contains(home)) {
        found.add(home);
        return true;
      }
      List<String> inherited = heirs.get(home);
      if (inherited == null || depth > LONGEST_TRACE) {
        return false;
      }
      for (String heir : inherited) {
        if (!addWhereDataIsNow(heir, live, found, depth + 1)) {
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public synchronized void close() {
    closeQuietly(channel);
    channel = null;
    sinceRewrite = null;
  }

  /** Forgets everything for good. */
  public static void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(next(file));
  }

  private static Path next(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }
}
