/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Bars by workload: one figure for each measure, and for data within memory and beyond. */
final class EnginesFigures {
  private final ResultFolder folder;
  private final List<CellEntry> entries;
  private final List<EngineSystem> systems;

  EnginesFigures(ResultFolder folder, List<CellEntry> entries, List<EngineSystem> systems) {
    this.folder = folder;
    this.entries = entries;
    this.systems = systems;
  }

  void draw() {
    draw("throughput", "Throughput", "operations/s", CellEntry::throughputOps);
    draw("read", "Mean read latency", "ms", entry -> millis(entry.readMeanMicros()));
    draw("write", "Mean write latency", "ms", entry -> millis(entry.writeMeanMicros()));
    draw("local-read", "Mean read in the node", "us", CellEntry::localReadMeanMicros);
    draw("local-write", "Mean write in the node", "us", CellEntry::localWriteMeanMicros);
    draw("cpu", "The node's CPU per operation", "us", CellEntry::nodeCpuMicrosPerOperation);
    draw("scan", "Scan of all rows, after the workload", "s", CellEntry::scanSeconds);
    draw("disk", "On disk after the workload", "MB", entry -> entry.diskBytes() / 1e6);
  }

  private static Double millis(Double micros) {
    return micros == null ? null : micros / 1e3;
  }

  private void draw(String file, String title, String y, Function<CellEntry, Double> value) {
    for (MemoryKind memory : MemoryKind.values()) {
      if (entries.stream().anyMatch(entry -> entry.memory().equals(memory.label()))) {
        String where = memory == MemoryKind.FITS ? "data fit memory" : "data beyond memory";
        String full = title + ", " + where;
        List<String> groups = Arrays.stream(Workload.values()).map(Workload::label).toList();
        List<Charts.Bars> bars = systems.stream().map(one -> bars(one, memory, value)).toList();
        Charts.bars(
            folder.figure(file + "-" + memory.label() + ".png", full), full, y, groups, bars);
      }
    }
  }

  private Charts.Bars bars(
      EngineSystem system, MemoryKind memory, Function<CellEntry, Double> value) {
    List<Double> values =
        Arrays.stream(Workload.values())
            .map(
                workload ->
                    EnginesTable.mean(
                        EnginesTable.of(entries, memory, workload), system.label(), value))
            .toList();
    return new Charts.Bars(system.label(), EngineSystem.labels().indexOf(system.label()), values);
  }
}
