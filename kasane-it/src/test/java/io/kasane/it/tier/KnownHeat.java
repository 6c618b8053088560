/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.file.HeatFile;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Lets each table of a stopped node know the heat of rows that it does not have. */
final class KnownHeat {
  /** What each table of Kasane has beside its heat. */
  private static final String SUFFIX = ".copies";

  private KnownHeat() {}

  static void save(LocalNode stopped, int rows) throws IOException {
    Path directory = stopped.settings().dir().resolve("saved_caches/kasane");
    List<String> tables;
    try (Stream<Path> files = Files.list(directory)) {
      tables =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(SUFFIX))
              .map(file -> file.substring(0, file.length() - SUFFIX.length()))
              .toList();
    }
    assertThat(tables).isNotEmpty();
    HeatTrackerOptions room = HeatTrackerOptions.defaults().withCapacityKeys(rows);
    try (HeatTracker tracker = new HeatTracker(room, System::currentTimeMillis, rows)) {
      new SplittableRandom(rows).longs(rows).forEach(tracker::record);
      for (String table : tables) {
        try (HeatFile file = new HeatFile(directory, table)) {
          file.saveAll(tracker);
        }
      }
    }
  }
}
