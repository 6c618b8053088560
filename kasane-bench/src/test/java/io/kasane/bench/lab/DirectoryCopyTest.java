/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kasane.node.DirectoryUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryCopyTest {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  @TempDir private Path dir;
  private Path from;

  @BeforeEach
  void makeNode() throws IOException {
    from = Files.createDirectories(dir.resolve("from"));
    Files.writeString(Files.createDirectories(from.resolve("table")).resolve("a-Data.db"), "rows");
    Files.writeString(from.resolve("table/a-TOC.txt"), "list");
  }

  @Test
  void shouldLinkWhatNeverChangesAndCopyTheRest() throws IOException {
    Path to = dir.resolve("to");

    DirectoryCopy.copy(from, to);

    assertThat(Files.isSameFile(from.resolve("table/a-Data.db"), to.resolve("table/a-Data.db")))
        .isTrue();
    assertThat(to.resolve("table/a-TOC.txt")).hasContent("list");
    assertThat(Files.isSameFile(from.resolve("table/a-TOC.txt"), to.resolve("table/a-TOC.txt")))
        .isFalse();
  }

  @Test
  void shouldCopyToAnotherFileSystem() throws IOException {
    assumeTrue(
        Files.isWritable(IN_MEMORY)
            && !Files.getFileStore(IN_MEMORY).equals(Files.getFileStore(dir)),
        "no second file system");
    Path to = Files.createTempDirectory(IN_MEMORY, "kasane-copy");
    try {
      DirectoryCopy.copy(from, to);

      assertThat(to.resolve("table/a-Data.db")).hasContent("rows");
    } finally {
      DirectoryUse.delete(to);
    }
  }
}
