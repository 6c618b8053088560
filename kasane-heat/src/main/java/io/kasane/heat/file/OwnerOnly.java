/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes files and directories that nobody but their owner may read or write, where the file system
 * knows that: which keys are read is as private as the keys.
 */
public final class OwnerOnly {
  private OwnerOnly() {}

  /** Makes a directory and those above it that do not exist; others stay as they are. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, "rwx------"));
  }

  /** Opens an empty file to be written, in the place of one that may be there. */
  public static FileChannel create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
        attributes(file, "rw-------"));
  }

  /** Opens a file to be read and written; makes it if there is none. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
        attributes(file, "rw-------"));
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
