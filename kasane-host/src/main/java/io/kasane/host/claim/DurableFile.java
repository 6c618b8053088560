/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.claim;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Small files that a crash of the machine leaves either as they were or as they were to be. */
public final class DurableFile {
  private DurableFile() {}

  /** Replaces a file; when this returns, the disk has it. */
  public static void write(Path target, byte[] content) throws IOException {
    Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
    try (OutputStream out = Files.newOutputStream(temporary)) {
      out.write(content);
    }
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel parent = FileChannel.open(target.getParent())) {
      parent.force(true);
    }
  }
}
