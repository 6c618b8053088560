/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs as earlier versions wrote them: after an upgrade reads leave out what they did before. */
class EarlierSkipIndexLogTest {
  private static final Set<String> BEFORE = Set.of("slow", "other slow", "copy", "rest");
  private static final Set<String> LIVE = Set.of("slow", "other slow", "rest");

  @TempDir private Path dir;

  private static SkipIndex<Set<String>, String> open(Path file, Set<String> live) {
    return new SkipIndex<>(
        () -> 100_000_000,
        () -> live,
        moment -> moment,
        Optional.of(new SkipIndexLog<>(file, name -> name, () -> 0)));
  }

  /** Rows of two SSTables were copied, one was dropped when the copies were merged. */
  static void fill(Path file) {
    SkipIndex<Set<String>, String> index = open(file, BEFORE);
    index.restore(Map::of);
    index.add(Map.of("slow", SortedTokenSet.of(1, 2, 3)), List.of("copy"));
    index.add(Map.of("other slow", SortedTokenSet.of(5)), List.of("copy"));
    index.announce(List.of("copy"), List.of("rest"), SortedTokenSet.of(3), false);
    index.close();
  }

  @Test
  void shouldLeaveOutWhatVersion010Did() throws IOException {
    Path file = dir.resolve("table.copies");
    try (InputStream golden = getClass().getResourceAsStream("/golden/0.1.0/table.copies")) {
      Files.copy(golden, file);
    }
    SkipIndex<Set<String>, String> index = open(file, LIVE);
    index.restore(() -> LIVE.stream().collect(Collectors.toMap(Function.identity(), s -> s)));
    assertThat(index.contains("slow", 1)).isTrue();
    assertThat(index.contains("slow", 2)).isTrue();
    assertThat(index.contains("slow", 3)).as("dropped").isFalse();
    assertThat(index.contains("other slow", 5)).isTrue();
    assertThat(index.contains("other slow", 1)).isFalse();
    index.close();
  }
}
