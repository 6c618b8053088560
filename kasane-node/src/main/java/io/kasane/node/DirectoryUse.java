/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** How many bytes lie under a directory, and how to be rid of them. */
public final class DirectoryUse {
  private DirectoryUse() {}

  /** Adds up the sizes of the files under a directory; files that vanish meanwhile count as 0. */
  public static ByteSize of(Path directory) {
    long[] sum = new long[1];
    walk(
        directory,
        new Tolerant() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }
        });
    return new ByteSize(sum[0]);
  }

  /** Deletes a directory and all it holds. */
  public static void delete(Path directory) {
    walk(
        directory,
        new Tolerant() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void walk(Path directory, SimpleFileVisitor<Path> visitor) {
    try {
      Files.walkFileTree(directory, visitor);
    } catch (IOException e) {
      throw new NodeException("Cannot walk " + directory + ": " + e, e);
    }
  }

  private static class Tolerant extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
        throws IOException {
      return FileVisitResult.CONTINUE;
    }
  }
}
