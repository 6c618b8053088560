/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaKey;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The partitions that had slots, those first that were read most: what an arena is filled with
 * after a start. All numbers big-endian: magic 8, how many 4, of each its length 4 and bytes,
 * CRC32C 8.
 */
final class SavedKeys {
  private static final long MAGIC = 0x4B41_5341_4B45_5931L;

  /** What Cassandra takes as a partition key. */
  private static final int MAX_KEY_BYTES = 65_535;

  private final Path file;

  SavedKeys(Path file) {
    this.file = file;
  }

  /** Replaces what was saved before, which stays if this fails. */
  void save(List<ArenaKey> keys) throws IOException {
    Files.createDirectories(file.getParent());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(temporary);
    Files.createFile(
        temporary,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (CheckedOutputStream checked =
            new CheckedOutputStream(Files.newOutputStream(temporary), new CRC32C());
        BufferedOutputStream buffered = new BufferedOutputStream(checked, 1 << 16);
        DataOutputStream out = new DataOutputStream(buffered)) {
      out.writeLong(MAGIC);
      out.writeInt(keys.size());
      for (ArenaKey key : keys) {
        ByteBuffer partition = key.partition();
        byte[] bytes = new byte[partition.remaining()];
        partition.get(bytes);
        out.writeInt(bytes.length);
        out.write(bytes);
      }
      out.flush();
      out.writeLong(checked.getChecksum().getValue());
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Of a table that is gone: nobody is to find its keys. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  /**
   * Returns what was saved; nothing if nothing was.
   *
   * @throws IOException if the file cannot be read, or is damaged
   */
  List<ByteBuffer> load() throws IOException {
    try (CheckedInputStream checked =
            new CheckedInputStream(
                new BufferedInputStream(Files.newInputStream(file), 1 << 16), new CRC32C());
        DataInputStream in = new DataInputStream(checked)) {
      long left = Files.size(file);
      if (in.readLong() != MAGIC) {
        throw new IOException(file + " has no keys of an arena");
      }
      int count = in.readInt();
      List<ByteBuffer> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int length = in.readInt();
        if (length < 0 || length > MAX_KEY_BYTES || length > left) {
          throw new IOException(file + " is damaged: a key of " + length + " bytes");
        }
        keys.add(ByteBuffer.wrap(in.readNBytes(length)));
      }
      long found = checked.getChecksum().getValue();
      if (in.readLong() != found) {
        throw new IOException(file + " is damaged: its checksum does not match");
      }
      return keys;
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
