/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.bench.load.ZipfLaws;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.bench.rig.MemoryRoom;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All systems on the same rows and load, one fresh node after another. */
final class EnginesExperiment {
  private final EnginesScale scale;
  private final long seed;
  private final List<EngineSystem> systems;
  private final List<MemoryKind> memories;
  private final String durability;
  private final Optional<String> whyNotBeyond;
  private final Map<MemoryKind, ZipfLaws> laws = new EnumMap<>(MemoryKind.class);
  private final List<CellEntry> entries = new ArrayList<>();

  /**
   * An experiment.
   *
   * @param wanted whether memory is to hold the data; what this machine cannot do is left out
   * @param durability of the engines; null for their default
   */
  EnginesExperiment(
      EnginesScale scale,
      long seed,
      List<EngineSystem> systems,
      List<MemoryKind> wanted,
      String durability) {
    this.scale = scale;
    this.seed = seed;
    this.systems = List.copyOf(systems);
    this.durability = EngineNodeSettings.checked(durability);
    this.whyNotBeyond =
        wanted.contains(MemoryKind.BEYOND)
            ? MemoryRoom.whyNone()
            : Optional.of("it was not asked for");
    this.memories =
        wanted.stream()
            .filter(memory -> memory == MemoryKind.FITS || whyNotBeyond.isEmpty())
            .toList();
  }

  /** How many workloads are run, on all systems together. */
  int steps() {
    return scale.rounds() * memories.size() * systems.size() * Workload.values().length;
  }

  /** Whether no read was wrong. */
  boolean isRight() {
    return entries.stream().mapToLong(CellEntry::wrongReads).sum() == 0;
  }

  /** Runs all, and draws the figures. */
  void run(Distribution distribution, Path nodes, ResultFolder folder, Progress progress)
      throws IOException, InterruptedException {
    Path latencies = Files.createDirectories(folder.directory().resolve("cells"));
    write(folder);
    for (int round = 1; round <= scale.rounds(); round++) {
      for (MemoryKind memory : memories) {
        for (int place = 0; place < systems.size(); place++) {
          EngineSystem system = systems.get((place + round - 1) % systems.size());
          run(system, memory, round, distribution, nodes, latencies, folder, progress);
        }
      }
    }
    new EnginesFigures(folder, entries, systems).draw();
    write(folder);
  }

  private void run(
      EngineSystem system,
      MemoryKind memory,
      int round,
      Distribution distribution,
      Path nodes,
      Path latencies,
      ResultFolder folder,
      Progress progress)
      throws IOException, InterruptedException {
    String turn = "%s-%s-%d".formatted(memory.label(), system.label(), round);
    progress.begin(turn);
    try (EngineTurn node =
        EngineTurn.begin(
            distribution,
            nodes.resolve(turn),
            system,
            memory,
            scale,
            round,
            durability,
            laws.computeIfAbsent(memory, m -> new ZipfLaws(scale.rows(m), seed)),
            seed,
            progress::say)) {
      for (Workload workload : Workload.values()) {
        String cell = turn + "-" + workload.label();
        progress.begin(cell);
        CellEntry entry = node.run(workload, latencies.resolve(cell + ".hlog"), progress::say);
        entries.add(entry);
        write(folder);
        progress.end(told(entry));
      }
    }
  }

  private void write(ResultFolder folder) {
    folder.write(entries, EnginesTable.of(entries, whyNotBeyond));
  }

  private static String told(CellEntry entry) {
    return String.format(
        Locale.ROOT,
        "%,.0f ops/s, reads %s us, writes %s us, node CPU %.0f us each, scan %.1f s, %d MiB, %d"
            + " wrong",
        entry.throughputOps(),
        EnginesTable.number(entry.readMeanMicros()),
        EnginesTable.number(entry.writeMeanMicros()),
        entry.nodeCpuMicrosPerOperation(),
        entry.scanSeconds(),
        entry.diskBytes() >> 20,
        entry.wrongReads());
  }
}
