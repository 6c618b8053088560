/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.bench.load.ZipfLaws;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All systems under the same load, one fresh node after another. */
final class WindowsExperiment {
  private static final double SKEW = 0.99;

  private final WindowsScale scale;
  private final List<WindowsSystem> systems;
  private final long seed;
  private final ZipfLaws laws;
  private final List<WindowsEntry> entries = new ArrayList<>();
  private final Map<WindowsSystem, List<WindowsTurn.Second>> seconds = new LinkedHashMap<>();

  WindowsExperiment(WindowsScale scale, List<WindowsSystem> systems, long seed) {
    this.scale = scale;
    this.systems = List.copyOf(systems);
    this.seed = seed;
    this.laws = new ZipfLaws(scale.sensors(), seed);
  }

  /** Whether no read was wrong. */
  boolean isRight() {
    return entries.stream().mapToLong(WindowsEntry::wrongReads).sum() == 0;
  }

  void run(Distribution distribution, Path nodes, ResultFolder folder, Progress progress)
      throws IOException, InterruptedException {
    for (WindowsSystem system : systems) {
      progress.begin(system.label());
      try (WindowsNode node =
          WindowsNode.start(distribution, nodes.resolve(system.label()), system, scale)) {
        WindowsTurn turn = new WindowsTurn(node, system, scale);
        WindowsEntry entry = turn.run(laws.of(SKEW), seed, progress::say);
        entries.add(entry);
        seconds.put(system, turn.seconds());
        progress.end(told(entry));
      }
      folder.write(entries, WindowsTable.of(entries, scale));
    }
    new WindowsFigures(folder, scale).draw(seconds);
    folder.write(entries, WindowsTable.of(entries, scale));
  }

  private static String told(WindowsEntry entry) {
    return String.format(
        Locale.ROOT,
        "%,.0f reads/s, newest %.1f ms, old %.1f ms, %.2f bytes to slow and %.2f to fast a byte,"
            + " %,.0f MB on slow, %d wrong",
        entry.readsPerSecond(),
        entry.newestMeanMicros() / 1e3,
        entry.oldMeanMicros() / 1e3,
        entry.slowWrittenPerByte(),
        entry.fastWrittenPerByte(),
        entry.slowMeanBytes() / 1e6,
        entry.wrongReads());
  }
}
