/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench engines}. */
@Command(
    name = "engines",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "A table on LMDB and on RocksDB beside Cassandra's own SSTables: four of YCSB's workloads, a"
          + " scan and the disk, on one node that is fresh for each.",
      "Every read is checked. Leaves a folder with numbers, figures and a summary. Ends with 0 only"
          + " if no read was wrong."
    })
public final class EnginesCommand implements Callable<Integer> {
  private static final int PREPARATION_SECONDS = 15;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description = "smoke (minutes) or small (a quarter of an hour) (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--through",
      description =
          "Also lmdb-through and rocksdb-through: each write goes into the engine at once instead of"
              + " by flushes of memtables. For comparison only; nodes do not offer it.")
  private boolean through;

  @Option(
      names = "--memory",
      paramLabel = "KIND",
      split = ",",
      description =
          "fits: memory holds the data; beyond: the node's page cache holds a quarter of them, which"
              + " needs a memory control group (default: both).")
  private Set<String> memory;

  @Option(
      names = "--durability",
      paramLabel = "KIND",
      description =
          "Of the engines: sync, or none, with which a power failure may take what was written"
              + " (default: theirs, sync).")
  private String durability;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Let all systems take their turn N times, each time another first (default:"
              + " ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    EnginesScale size = EnginesScale.named(scale);
    size = size.lasting(options.duration(size.duration())).repeated(rounds);
    EnginesExperiment experiment =
        new EnginesExperiment(
            size,
            options.seed(),
            EngineSystem.chosen(options.only(), through),
            memories(),
            durability);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            options.directory("engines", scale),
            options.facts("engines", scale, distribution, null));
    Duration perStep = size.warmUp().plus(size.duration()).plusSeconds(PREPARATION_SECONDS);
    options.onNodes(
        () -> {},
        nodes ->
            experiment.run(
                distribution, nodes, folder, options.progress(experiment.steps(), perStep)));
    options.tellResults(folder.directory());
    return experiment.isRight() ? 0 : 1;
  }

  private List<MemoryKind> memories() {
    List<String> known = Arrays.stream(MemoryKind.values()).map(MemoryKind::label).toList();
    if (memory != null && !known.containsAll(memory)) {
      throw new NodeException(
          "--memory: '" + String.join(",", memory) + "' is not of " + String.join(", ", known));
    }
    return Arrays.stream(MemoryKind.values())
        .filter(one -> memory == null || memory.contains(one.label()))
        .toList();
  }
}
