/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What happened second by second. */
final class WindowsFigures {
  private static final int SMOOTHED_SECONDS = 5;

  private final ResultFolder folder;
  private final WindowsScale scale;

  WindowsFigures(ResultFolder folder, WindowsScale scale) {
    this.folder = folder;
    this.scale = scale;
  }

  void draw(Map<WindowsSystem, List<WindowsTurn.Second>> seconds) {
    draw(
        "reads-over-time.png",
        "Reads; measured from second %d on".formatted(scale.settling().toSeconds()),
        "reads/s, mean of 5 s",
        seconds,
        WindowsTurn.Second::readsPerSecond);
    draw(
        "slow-over-time.png",
        "The table on the slow disk",
        "MB",
        seconds,
        second -> second.slowBytes() / 1e6);
  }

  private void draw(
      String file,
      String title,
      String y,
      Map<WindowsSystem, List<WindowsTurn.Second>> seconds,
      ToDoubleFunction<WindowsTurn.Second> value) {
    List<Charts.Line> lines = new ArrayList<>();
    seconds.forEach(
        (system, all) ->
            lines.add(
                new Charts.Line(
                    system.label(),
                    2 * lines.size(),
                    false,
                    all.stream().map(WindowsTurn.Second::atSeconds).toList(),
                    smoothed(all, value))));
    Charts.lines(folder.figure(file, title), title, "seconds", y, lines);
  }

  private static List<Double> smoothed(
      List<WindowsTurn.Second> all, ToDoubleFunction<WindowsTurn.Second> value) {
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      means.add(
          all.subList(Math.max(0, i + 1 - SMOOTHED_SECONDS), i + 1).stream()
              .mapToDouble(value)
              .average()
              .orElse(0));
    }
    return means;
  }
}
