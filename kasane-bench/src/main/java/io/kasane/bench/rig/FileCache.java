/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The operating system's memory of single files; needs no root. */
final class FileCache {
  private FileCache() {}

  /** Returns whether files can be taken out of memory on this machine. */
  static boolean canEvict() {
    return Tool.find("dd").isPresent();
  }

  /**
   * Writes out all files under a directory, and takes them out of memory.
   *
   * @throws NodeException if the system refuses
   */
  static void evict(Path directory) throws IOException, InterruptedException {
    List<Path> files;
    try (var all = Files.walk(directory)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      // Zero blocks: what matters is the advice to the kernel that goes with them.
      Tool.run("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0");
    }
  }
}
