/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench ramp}. */
@Command(
    name = "ramp",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read-atomic transactions (RAMP-Fast, -Small, -Hybrid) beside plain reads and writes, batches,"
          + " conditional writes and two-phase locking, on three nodes with all rows on each.",
      "Every value tells who wrote it, so that reads that showed halves are counted for every"
          + " system. Leaves a folder with numbers, figures and a summary. Ends with 0 only if the"
          + " systems that promise atomic reads had no halves."
    })
public final class RampCommand implements Callable<Integer> {
  private static final int PREPARATION_SECONDS = 4;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (minutes), small (hours) or paper (days); or cost (minutes): latencies beside plain"
              + " requests for the same eight keys, by turns (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Threads, each with one transaction at a time (default: as the scale says).")
  private Integer clients;

  @Option(
      names = "--gc-window",
      paramLabel = "SECONDS",
      description =
          "How long RAMP keeps what is overwritten; each turn warms up for as long (default: as the"
              + " scale says).")
  private Integer gcWindow;

  @Option(
      names = "--layout-cost",
      description =
          "Compare two layouts of RAMP's table instead: commits that write whole versions, and"
              + " commits that write their names.")
  private boolean layoutCost;

  @Option(
      names = "--histories",
      description =
          "Also leave all reads and writes as text that isolation checkers read, a file for each"
              + " system and kind of table. Costs time and room: about 30 bytes a key.")
  private boolean histories;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    RampScale size = RampScale.named(scale);
    size = size.lasting(options.duration(size.duration()));
    size = clients == null ? size : size.withClients(clients);
    size = gcWindow == null ? size : size.withGcWindow(gcWindow);
    RampExperiment experiment = new RampExperiment(size, options.seed(), systems(), histories);
    Duration perCell = size.warmUp().plus(size.duration()).plusSeconds(PREPARATION_SECONDS);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            options.directory("ramp", scale), options.facts("ramp", scale, distribution, null));
    options.onNodes(
        () -> {},
        nodes -> {
          try (RampCluster cluster = RampCluster.start(distribution, nodes, RampScale.NODES)) {
            experiment.run(cluster, folder, options.progress(experiment.steps(), perCell));
          }
        });
    options.tellResults(folder.directory());
    return experiment.isRight() ? 0 : 1;
  }

  private List<String> systems() {
    List<String> known =
        layoutCost ? Systems.LAYOUTS : scale.equals("cost") ? Systems.COST : Systems.NAMES;
    if (options.only() == null) {
      return known;
    }
    for (String name : options.only()) {
      if (!known.contains(name)) {
        throw new NodeException("--only: '" + name + "' is none of " + String.join(", ", known));
      }
    }
    return known.stream().filter(options.only()::contains).toList();
  }
}
