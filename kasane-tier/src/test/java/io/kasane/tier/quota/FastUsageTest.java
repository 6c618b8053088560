/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastUsageTest {
  @TempDir private Path root;

  private void write(String file, int bytes) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, new byte[bytes]);
  }

  @Test
  void shouldCountEachFileOnceAndByTable() throws IOException {
    write("ks/t-1/nb-1-big-Data.db", 100);
    write("ks/t-2/nb-1-big-Data.db", 20);
    write(".kasane-fast-disk", 3);
    Path snapshot = Files.createDirectories(root.resolve("ks/t-1/snapshots/kept"));
    Files.createLink(snapshot.resolve("nb-1-big-Data.db"), root.resolve("ks/t-1/nb-1-big-Data.db"));

    FastUsage usage = FastUsage.measure(List.of(root), file -> file.endsWith("nb-9-big-Data.db"));

    assertThat(usage.totalBytes()).isEqualTo(123);
    assertThat(usage.bytesOf(List.of(root.resolve("ks/t-1")))).isEqualTo(100);
    assertThat(usage.bytesOf(List.of(root.resolve("ks/t-1"), root.resolve("ks/t-2"))))
        .isEqualTo(120);
  }

  @Test
  void shouldLeaveOutWhatIsCountedElsewhere() throws IOException {
    write("ks/t-1/nb-1-big-Data.db", 100);
    write("ks/t-1/nb-2-big-Data.db", 20);

    assertThat(
            FastUsage.measure(List.of(root), file -> file.endsWith("nb-1-big-Data.db"))
                .totalBytes())
        .isEqualTo(20);
  }

  /** A root that runs the test may open it; Cassandra's user may not. */
  @Test
  void shouldGoOnWhereTheFileSystemKeepsWhatItFound() throws IOException {
    FastUsage.Walk walk = new FastUsage.Walk(root, file -> false, new HashSet<>(), new HashMap<>());
    Path lost = root.resolve("lost+found");

    assertThat(walk.visitFileFailed(lost, new AccessDeniedException(lost.toString())))
        .isEqualTo(FileVisitResult.CONTINUE);
  }

  @Test
  void shouldCountNothingThatWentMeanwhileAndFailForWhatItMayNotOpen() throws IOException {
    FastUsage.Walk walk = new FastUsage.Walk(root, file -> false, new HashSet<>(), new HashMap<>());
    Path table = root.resolve("ks/t-1");
    Path nested = table.resolve("lost+found");

    assertThat(walk.visitFileFailed(table, new NoSuchFileException(table.toString())))
        .isEqualTo(FileVisitResult.CONTINUE);
    for (Path path : List.of(table, nested)) {
      assertThatThrownBy(
              () -> walk.visitFileFailed(path, new AccessDeniedException(path.toString())))
          .isInstanceOf(AccessDeniedException.class);
    }
  }
}
