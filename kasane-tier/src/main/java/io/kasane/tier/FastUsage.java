/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What lies on the fast disk, as its file system tells it: live SSTables, obsolete ones that are
 * still being read, snapshots (a hard link counts once), left-overs. Immutable.
 *
 * @param totalBytes of all files
 * @param bytesByTableDirectory of the files below each {@code keyspace/table-id} directory
 */
record FastUsage(long totalBytes, Map<Path, Long> bytesByTableDirectory) {

  /**
   * Walks {@code roots}.
   *
   * @param skip files that are accounted for elsewhere
   */
  static FastUsage measure(List<Path> roots, Predicate<Path> skip) {
    Map<Path, Long> byTable = new HashMap<>();
    Set<Object> seen = new HashSet<>();
    long[] total = new long[1];
    for (Path root : roots) {
      try {
        Files.walkFileTree(
            root,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Object inode = attributes.fileKey();
                if (attributes.isRegularFile()
                    && !skip.test(file)
                    && (inode == null || seen.add(inode))) {
                  total[0] += attributes.size();
                  Path below = root.relativize(file);
                  if (below.getNameCount() > 2) {
                    byTable.merge(root.resolve(below.subpath(0, 2)), attributes.size(), Long::sum);
                  }
                }
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                  return FileVisitResult.CONTINUE;
                }
                throw e;
              }

              @Override
              public FileVisitResult postVisitDirectory(Path directory, IOException e)
                  throws IOException {
                if (e == null || e instanceof NoSuchFileException) {
                  return FileVisitResult.CONTINUE;
                }
                throw e;
              }
            });
      } catch (IOException e) {
        throw new UncheckedIOException("cannot measure " + root, e);
      }
    }
    return new FastUsage(total[0], Map.copyOf(byTable));
  }

  long bytesOf(List<Path> tableDirectories) {
    return tableDirectories.stream()
        .mapToLong(d -> bytesByTableDirectory.getOrDefault(d, 0L))
        .sum();
  }
}
