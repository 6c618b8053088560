/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import io.kasane.host.claim.LostAndFound;
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
    long totalBytes = 0;
    for (Path root : roots) {
      Walk walk = new Walk(root, skip, seen, byTable);
      try {
        Files.walkFileTree(root, walk);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot measure " + root, e);
      }
      totalBytes += walk.bytes;
    }
    return new FastUsage(totalBytes, Map.copyOf(byTable));
  }

  long bytesOf(List<Path> tableDirectories) {
    return tableDirectories.stream()
        .mapToLong(d -> bytesByTableDirectory.getOrDefault(d, 0L))
        .sum();
  }

  /** Adds up the files below one root. Files come and go meanwhile. */
  static final class Walk extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Predicate<Path> skip;
    private final Set<Object> seen;
    private final Map<Path, Long> byTable;
    private long bytes;

    /**
     * A walk that is yet to be.
     *
     * @param seen inodes that were counted
     * @param byTable is added to
     */
    Walk(Path root, Predicate<Path> skip, Set<Object> seen, Map<Path, Long> byTable) {
      this.root = root;
      this.skip = skip;
      this.seen = seen;
      this.byTable = byTable;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      Object inode = attributes.fileKey();
      if (attributes.isRegularFile() && !skip.test(file) && (inode == null || seen.add(inode))) {
        bytes += attributes.size();
        Path below = root.relativize(file);
        if (below.getNameCount() > 2) {
          byTable.merge(root.resolve(below.subpath(0, 2)), attributes.size(), Long::sum);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException || LostAndFound.is(root, file)) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      if (e == null || e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }
}
