/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import io.kasane.host.claim.LostAndFound;
import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Set;

/** Looks for SSTables in a data directory of which Cassandra may know nothing today. */
final class SSTableFiles {
  private static final String DATA_SUFFIX = "-Data.db";

  /** Below a table's directory; what they hold is not among the table's rows. */
  private static final Set<String> COPIES_OF_A_TABLE = Set.of("snapshots", "backups");

  private static final int COPIES_DEPTH = 3;

  private SSTableFiles() {}

  /**
   * Whether any table or index has an SSTable below {@code dataDirectory}, snapshots and backups
   * aside. Follows symbolic links.
   *
   * @throws HostException if not all of it can be listed
   */
  static boolean areBelow(Path dataDirectory) {
    Search search = new Search(dataDirectory);
    try {
      Files.walkFileTree(
          dataDirectory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, search);
    } catch (IOException e) {
      throw new HostException(
          "cannot list "
              + dataDirectory
              + ", which may hold SSTables: "
              + e
              + "; make it readable for Cassandra's user",
          e);
    }
    return search.found;
  }

  private static final class Search extends SimpleFileVisitor<Path> {
    private final Path root;
    private boolean found;

    private Search(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      Path below = root.relativize(directory);
      boolean isCopy =
          below.getNameCount() == COPIES_DEPTH
              && COPIES_OF_A_TABLE.contains(below.getFileName().toString());
      return isCopy ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      found = file.getFileName().toString().endsWith(DATA_SUFFIX);
      return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (LostAndFound.is(root, file)) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }
}
