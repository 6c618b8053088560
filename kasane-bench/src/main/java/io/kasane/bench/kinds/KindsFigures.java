/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.engines.Workload;
import io.kasane.bench.kinds.KindsSystem.Part;
import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Bars by workload, as the paper has them: latency at a fixed rate, and throughput. */
final class KindsFigures {
  private final ResultFolder folder;
  private final List<KindsEntry> entries;
  private final List<KindsSystem> systems;

  KindsFigures(ResultFolder folder, List<KindsEntry> entries, List<KindsSystem> systems) {
    this.folder = folder;
    this.entries = entries;
    this.systems = systems;
  }

  void draw() {
    for (Part part : Part.values()) {
      draw(part, "throughput", "Throughput", "operations/s", false, KindsEntry::throughputOps);
      draw(
          part,
          "read",
          "Mean read at a fixed rate",
          "ms",
          true,
          entry -> millis(entry.readMeanMicros()));
      draw(
          part,
          "write",
          "Mean write at a fixed rate",
          "ms",
          true,
          entry -> millis(entry.writeMeanMicros()));
    }
  }

  private static Double millis(Double micros) {
    return micros == null ? null : micros / 1e3;
  }

  private void draw(
      Part part,
      String name,
      String what,
      String y,
      boolean isAtRate,
      Function<KindsEntry, Double> value) {
    List<KindsSystem> own = systems.stream().filter(system -> system.part() == part).toList();
    if (!own.isEmpty()) {
      List<String> groups = Arrays.stream(Workload.values()).map(Workload::label).toList();
      List<Charts.Bars> bars =
          own.stream()
              .map(
                  system ->
                      new Charts.Bars(
                          system.label(), own.indexOf(system), values(system, isAtRate, value)))
              .toList();
      String file = part.label() + "-" + name + ".png";
      String title = what + ", " + part.title();
      Charts.bars(folder.figure(file, title), title, y, groups, bars);
    }
  }

  private List<Double> values(
      KindsSystem system, boolean isAtRate, Function<KindsEntry, Double> value) {
    return Arrays.stream(Workload.values())
        .map(
            workload ->
                entries.stream()
                    .filter(entry -> entry.name().equals(system.label()))
                    .filter(entry -> entry.workload().equals(workload.label()))
                    .filter(entry -> entry.rate() != null == isAtRate)
                    .findFirst()
                    .map(value)
                    .orElse(Double.NaN))
        .toList();
  }
}
