/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of its own in memory, of a fixed size; needs the right to mount. */
public final class SmallDisk implements AutoCloseable {
  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one on a new directory; empty where this user may not mount. */
  public static Optional<SmallDisk> mount(Path directory, ByteSize size) throws IOException {
    Files.createDirectories(directory);
    String options = "size=" + size.bytes();
    return run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString())
        ? Optional.of(new SmallDisk(directory))
        : Optional.empty();
  }

  public Path directory() {
    return directory;
  }

  /**
   * To who opens a file from now on. The kernel does so when a disk fails, but on demand only while
   * no file is open to be written.
   */
  void setReadOnly(boolean readOnly) {
    String path = directory.toString();
    boolean done =
        readOnly
            ? run("mount", "--bind", path, path) && run("mount", "-o", "remount,bind,ro", path)
            : run("umount", "--lazy", path);
    if (!done) {
      throw new NodeException("Cannot make " + path + (readOnly ? " read-only" : " writable"));
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
