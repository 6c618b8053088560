/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.utils.ByteBufferUtil;

/** A file with one partition key a line, in hexadecimal as {@code cqlsh} prints a blob. */
final class KeyList {
  private KeyList() {}

  /**
   * Reads the keys as the ids that heat counts under, each once.
   *
   * @throws UncheckedIOException naming the file, and the line that is no key
   */
  static long[] read(Path file, IPartitioner partitioner) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .mapToLong(line -> id(line, file, partitioner))
          .distinct()
          .toArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the key list " + file + ": " + e, e);
    }
  }

  private static long id(String line, Path file, IPartitioner partitioner) {
    String digits = line.startsWith("0x") ? line.substring(2) : line;
    try {
      return KeyIds.of(partitioner.decorateKey(ByteBufferUtil.hexToBytes(digits)));
    } catch (NumberFormatException e) {
      throw new UncheckedIOException(
          new IOException("'" + line + "' in " + file + " is no partition key in hexadecimal", e));
    }
  }
}
