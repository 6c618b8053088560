/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench kinds}. */
@Command(
    name = "kinds",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Storage engines alone on one node, and clusters of three nodes whose replicas are of one kind"
          + " or of several, engines or modelled disks: four of YCSB's workloads, at a fixed rate and"
          + " saturated.",
      "Every read is checked. Leaves a folder with numbers, figures and a summary. Ends with 0 only"
          + " if no read was wrong."
    })
public final class KindsCommand implements Callable<Integer> {
  private static final int PREPARATION_SECONDS = 12;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description = "smoke (some 40 minutes) or small (some 80) (default: ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Operations a second of the runs at a fixed rate (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rate < 1) {
      throw new NodeException("--rate: " + rate + " is not above 0, such as 500");
    }
    KindsScale size = KindsScale.named(scale);
    size = size.lasting(options.duration(size.duration()));
    KindsExperiment experiment =
        new KindsExperiment(size, options.seed(), KindsSystem.chosen(options.only()), rate);
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            options.directory("kinds", scale), options.facts("kinds", scale, distribution, null));
    Duration perStep = size.warmUp().plus(size.duration()).plusSeconds(PREPARATION_SECONDS);
    options.onNodes(
        () -> {},
        nodes ->
            experiment.run(
                distribution, nodes, folder, options.progress(experiment.steps(), perStep)));
    options.tellResults(folder.directory());
    return experiment.isRight() ? 0 : 1;
  }
}
