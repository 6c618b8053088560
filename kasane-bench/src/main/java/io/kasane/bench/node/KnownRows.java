/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import io.kasane.heat.file.HeatFile;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes a node know the heat of rows that it never saw, so that they need not be read first. */
public final class KnownRows {
  /** What each table of Kasane has there at once. */
  private static final String SUFFIX = ".copies";

  private static final int SEED = 5;

  private KnownRows() {}

  /**
   * Puts heat in the place of what a stopped node has saved of its only table.
   *
   * @param count of rows, each of which was accessed once
   */
  static void save(LocalNode stopped, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    save(stopped, count, LongStream.generate(random::nextLong).limit(count));
  }

  /**
   * The same of chosen rows.
   *
   * @param count how many differ
   * @param ids of the rows, their tokens, one for each access
   */
  public static void save(LocalNode stopped, int count, LongStream ids) throws IOException {
    Path directory = stopped.settings().dir().resolve("saved_caches/kasane");
    String name = onlyTable(directory);
    HeatTrackerOptions room = HeatTrackerOptions.defaults().withCapacityKeys(count);
    try (HeatTracker tracker = new HeatTracker(room, System::currentTimeMillis, SEED);
        HeatFile file = new HeatFile(directory, name)) {
      ids.forEach(tracker::record);
      file.saveAll(tracker);
    }
  }

  private static String onlyTable(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(SUFFIX))
              .toList();
      if (names.size() != 1) {
        throw new NodeException(directory + " knows of " + names + ", not of one table");
      }
      return names.get(0).substring(0, names.get(0).length() - SUFFIX.length());
    }
  }
}
