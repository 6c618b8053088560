/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Copies a stopped node, without copying the bytes of its SSTables where the file system can link:
 * they never change.
 */
final class DirectoryCopy {
  private DirectoryCopy() {}

  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(dir)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file));
            if (file.toString().endsWith(".db")) {
              linkOrCopy(file, target);
            } else {
              Files.copy(file, target);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void linkOrCopy(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      // Another file system, or one without links.
      Files.copy(file, target);
    }
  }
}
