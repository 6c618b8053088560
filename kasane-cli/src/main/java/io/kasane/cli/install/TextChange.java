/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * A file of settings becomes another text, or goes. What it was when Kasane first changed it is
 * kept beside it.
 *
 * @param file where it is
 * @param before its text; empty if it is not there
 * @param after the text that it gets; empty if it goes
 */
record TextChange(Path file, Optional<String> before, Optional<String> after) implements Step {
  private static final String BACKUP = ".before-kasane";
  private static final int CONTEXT_LINES = 3;

  /** Reads a file; empty if it is not there. */
  static Optional<String> read(Path file) {
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new NodeException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** The file as it was before Kasane, if that differs in nothing but its last line's end. */
  static String asItWas(Path file, String text) {
    return read(backup(file)).filter(was -> (was + "\n").equals(text)).orElse(text);
  }

  static Path backup(Path file) {
    return file.resolveSibling(file.getFileName() + BACKUP);
  }

  @Override
  public String shown() {
    List<String> old = before.map(text -> text.lines().toList()).orElse(List.of());
    List<String> next = after.map(text -> text.lines().toList()).orElse(List.of());
    List<String> diff =
        UnifiedDiffUtils.generateUnifiedDiff(
            before.isPresent() ? file.toString() : "/dev/null",
            after.isPresent() ? file.toString() : "/dev/null",
            old,
            DiffUtils.diff(old, next),
            CONTEXT_LINES);
    return String.join("\n", diff) + "\n";
  }

  @Override
  public void run() throws IOException {
    if (before.isPresent() && after.isPresent() && !Files.exists(backup(file))) {
      Files.copy(file, backup(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    if (after.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    // Whole or not at all: the node may start at any moment. A link stays one.
    Path real = Files.exists(file) ? file.toRealPath() : file;
    Path next = real.resolveSibling(real.getFileName() + ".kasane-new");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(after.get().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Path like = before.isPresent() ? real : real.resolveSibling("cassandra.yaml");
    if (Files.exists(like)) {
      Owners.copy(like, next);
    }
    Files.move(next, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
