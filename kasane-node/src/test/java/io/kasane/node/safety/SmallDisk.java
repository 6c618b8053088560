/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.safety;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of its own in memory, of a fixed size; needs the right to mount. */
final class SmallDisk implements AutoCloseable {
  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one on a new directory; empty where this user may not mount. */
  static Optional<SmallDisk> mount(Path directory, ByteSize size) throws IOException {
    Files.createDirectories(directory);
    String options = "size=" + size.bytes();
    return run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString())
        ? Optional.of(new SmallDisk(directory))
        : Optional.empty();
  }

  void setReadOnly(boolean readOnly) {
    String options = "remount," + (readOnly ? "ro" : "rw");
    if (!run("mount", "-o", options, directory.toString())) {
      throw new NodeException("Cannot remount " + directory + " with " + options);
    }
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("Interrupted", e);
    }
  }

  @Override
  public void close() {
    if (!run("umount", "--lazy", directory.toString())) {
      throw new NodeException("Cannot unmount " + directory);
    }
  }
}
