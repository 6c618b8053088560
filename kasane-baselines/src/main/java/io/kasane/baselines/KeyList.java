/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.host.refuse.Refusal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A file with one partition key a line, in hexadecimal as {@code cqlsh} prints a blob. Whoever may
 * ALTER a table names it: it is read only if it really lies in the directory that the operator
 * offers, it may be anything, and nothing of it is ever shown.
 */
final class KeyList {
  /** What a table may call a list. */
  static final long MAX_BYTES = 64 << 20;

  private static final int MAX_LINE_BYTES = 2 + 2 * FBUtilities.MAX_UNSIGNED_SHORT + 16;

  private final Path file;
  private final String name;

  private KeyList(Path file, String name) {
    this.file = file;
    this.name = name;
  }

  /**
   * Reads the keys as the ids that heat counts under, each once.
   *
   * @param directory that has the list
   * @param room asked once, whether there is memory for so many keys
   * @throws IOException naming the file, and by its number the line that is no key
   */
  static long[] read(Path directory, String name, IPartitioner partitioner, IntPredicate room)
      throws IOException {
    return new KeyList(locate(directory, name), name).read(partitioner, room);
  }

  /** Where orchestrators mount files, they are symbolic links within the directory. */
  private static Path locate(Path directory, String name) throws IOException {
    Path file;
    BasicFileAttributes attributes;
    Path home;
    try {
      home = directory.toRealPath();
      file = home.resolve(name).toRealPath();
      attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new IOException("the key list " + Refusal.quote(name) + " is not in " + directory, e);
    }
    if (!file.startsWith(home) || !attributes.isRegularFile()) {
      throw new IOException(
          "the key list " + Refusal.quote(name) + " is not a regular file within " + directory);
    }
    if (attributes.size() > MAX_BYTES) {
      throw tooLong(name);
    }
    return file;
  }

  private static IOException tooLong(String name) {
    return new IOException(
        "the key list "
            + Refusal.quote(name)
            + " is longer than "
            + (MAX_BYTES >> 20)
            + " MiB, but must be at most that long");
  }

  private long[] read(IPartitioner partitioner, IntPredicate room) throws IOException {
    int[] count = new int[1];
    forEachLine((line, length, number) -> count[0]++);
    if (!room.test(count[0])) {
      throw new IOException(
          "the key list "
              + Refusal.quote(name)
              + " has "
              + count[0]
              + " keys, more than heat_memory in kasane.yaml leaves for lists");
    }
    long[] ids = new long[count[0]];
    int[] read = new int[1];
    forEachLine(
        (line, length, number) -> {
          if (read[0] == ids.length) {
            throw new IOException(
                "the key list " + Refusal.quote(name) + " changed while it was read");
          }
          ids[read[0]++] = id(line, length, number, partitioner);
        });
    return distinct(ids, read[0]);
  }

  private static long[] distinct(long[] ids, int count) {
    Arrays.sort(ids, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || ids[i] != ids[kept - 1]) {
        ids[kept++] = ids[i];
      }
    }
    return Arrays.copyOf(ids, kept);
  }

  private interface LineVisitor {
    void visit(byte[] line, int length, long number) throws IOException;
  }

  /** Calls back for each line that is not blank. */
  private void forEachLine(LineVisitor visitor) throws IOException {
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), 1 << 16)) {
      byte[] line = new byte[256];
      int length = 0;
      long number = 1;
      long bytes = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (++bytes > MAX_BYTES) {
          throw tooLong(name); // it has grown since
        }
        if (next == '\n') {
          visitIfNotBlank(visitor, line, length, number);
          number++;
          length = 0;
          continue;
        }
        if (length == line.length) {
          if (length >= MAX_LINE_BYTES) {
            throw noKey(number);
          }
          line = Arrays.copyOf(line, Math.min(MAX_LINE_BYTES, 2 * length));
        }
        line[length++] = (byte) next;
      }
      visitIfNotBlank(visitor, line, length, number);
    }
  }

  private static void visitIfNotBlank(LineVisitor visitor, byte[] line, int length, long number)
      throws IOException {
    for (int i = 0; i < length; i++) {
      if (line[i] > ' ' || line[i] < 0) {
        visitor.visit(line, length, number);
        return;
      }
    }
  }

  private long id(byte[] line, int length, long number, IPartitioner partitioner)
      throws IOException {
    String text = new String(line, 0, length, StandardCharsets.ISO_8859_1).strip();
    String digits = text.startsWith("0x") ? text.substring(2) : text;
    if (digits.isEmpty() || digits.length() > 2 * FBUtilities.MAX_UNSIGNED_SHORT) {
      throw noKey(number);
    }
    try {
      return KeyIds.of(partitioner.decorateKey(ByteBufferUtil.hexToBytes(digits)));
    } catch (RuntimeException e) { // its message would show the line
      throw noKey(number);
    }
  }

  private IOException noKey(long line) {
    return new IOException(
        "line "
            + line
            + " of the key list "
            + Refusal.quote(name)
            + " is not a partition key in hexadecimal");
  }
}
