/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A short text file that is either the old one or the new one, whatever crashes, and checked. */
public final class CheckedLines {
  private final Path file;
  private final String firstLine;

  /**
   * A file.
   *
   * @param firstLine what it is, and its version
   */
  public CheckedLines(Path file, String firstLine) {
    this.file = file;
    this.firstLine = firstLine;
  }

  public Path file() {
    return file;
  }

  /**
   * Reads the lines between the first one and the checksum; none if there is no such file.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is not what was written
   */
  public List<String> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(Files.readString(file).lines().toList());
    if (lines.size() < 2 || !lines.get(0).equals(firstLine)) {
      throw new IllegalArgumentException("it does not begin with '" + firstLine + "'");
    }
    String last = lines.remove(lines.size() - 1);
    if (!last.equals(lastLine(String.join("\n", lines) + "\n"))) {
      throw new IllegalArgumentException("its checksum is wrong");
    }
    return lines.subList(1, lines.size());
  }

  private static String lastLine(String body) {
    CRC32 checksum = new CRC32();
    checksum.update(body.getBytes(UTF_8));
    return String.format("crc32 %08x", checksum.getValue());
  }

  /** Writes all lines to a file beside it, which takes its place in {@link #replace}. */
  public void prepare(List<String> lines) throws IOException {
    StringBuilder body = new StringBuilder(firstLine).append('\n');
    lines.forEach(line -> body.append(line).append('\n'));
    String text = body + lastLine(body.toString()) + "\n";
    Path directory = file.toAbsolutePath().getParent();
    if (!Files.exists(directory)) {
      Files.createDirectories(directory);
      sync(directory.getParent());
    }
    try (FileChannel out =
        FileChannel.open(
            fresh(),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }

  /**
   * What was prepared takes its place: a crash of the machine does not change it when this returns.
   * If it fails, the file may be the old one or the new one.
   */
  public void replace() throws IOException {
    Files.move(fresh(), file, StandardCopyOption.ATOMIC_MOVE);
    sync(file.toAbsolutePath().getParent());
  }

  private Path fresh() {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
