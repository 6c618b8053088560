/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCacheTest {
  @TempDir private Path dir;

  @Test
  void shouldTakeFilesOutOfMemoryAndChangeNothing() throws Exception {
    assumeTrue(FileCache.canEvict() && Tool.find("fincore").isPresent(), "no dd or fincore");
    assumeTrue(Files.getFileStore(dir).type().matches("ext4|xfs"), "a file system in memory");
    byte[] content = new byte[1 << 20];
    content[4711] = 42;
    Path file = Files.write(Files.createDirectories(dir.resolve("a/b")).resolve("file"), content);
    assertThat(cachedBytes(file)).isEqualTo(Integer.toString(content.length));

    FileCache.evict(dir);

    assertThat(cachedBytes(file)).isEqualTo("0");
    assertThat(file).hasBinaryContent(content);
  }

  private static String cachedBytes(Path file) throws Exception {
    return Tool.run("fincore", "--bytes", "--noheadings", "--output", "RES", file);
  }
}
