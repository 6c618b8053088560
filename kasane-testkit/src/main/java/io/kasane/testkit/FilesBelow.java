/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Files of a node that runs: they come and go. */
public final class FilesBelow {
  private FilesBelow() {}

  /** All files below a directory at one moment: looks again until none vanished during the walk. */
  public static Set<Path> of(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Set.of();
    }
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreException(UncheckedIOException.class)
        .until(
            () -> {
              try (Stream<Path> walk = Files.walk(directory)) {
                return walk.filter(Files::isRegularFile)
                    .collect(Collectors.toCollection(TreeSet::new));
              }
            },
            found -> true);
  }
}
