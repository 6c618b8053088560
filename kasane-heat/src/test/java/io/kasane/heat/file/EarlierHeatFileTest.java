/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.file;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as earlier versions wrote them, one folder each: an upgrade must not forget the heat. */
class EarlierHeatFileTest {
  private static final int KEYS = 20;

  @TempDir private Path directory;

  /** Key n was read n times, and takes 100 + n bytes. */
  static void fill(HeatTracker tracker) {
    for (int n = 1; n <= KEYS; n++) {
      for (int i = 0; i < n; i++) {
        tracker.record(id(n));
      }
      tracker.recordSize(id(n), 100 + n);
    }
  }

  private static HeatTracker tracker() {
    return new HeatTracker(new HeatTrackerOptions(500, 1000, 128), new AtomicLong()::get, 1);
  }

  @Test
  void shouldKnowTheHeatThatVersion010Saved() throws IOException {
    try (InputStream file = getClass().getResourceAsStream("/golden/0.1.0/table.heat")) {
      Files.copy(file, directory.resolve("table.heat"));
    }
    HeatTracker tracker = tracker();
    try (HeatFile saved = new HeatFile(directory, "table")) {
      saved.restoreInto(tracker);
    }
    HeatTracker same = tracker();
    fill(same);
    assertThat(tracker.trackedKeys()).isEqualTo(KEYS);
    for (int n = 1; n <= KEYS; n++) {
      assertThat(tracker.heatOf(id(n))).as("heat of " + n).isEqualTo(same.heatOf(id(n)));
      assertThat((double) tracker.sizeOf(id(n))).isCloseTo(100 + n, within(10.0));
    }
  }
}
