/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.report.ExperimentOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench compact}. */
@Command(
    name = "compact",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Hot rows compacted sooner than cold ones: Kasane on nodes with one slow disk, beside stock"
          + " Cassandra, on three nodes with all rows on each.",
      "Leaves a folder with raw numbers, figures and a summary. Ends with 0 only if no read was"
          + " wrong."
    })
public final class CompactCommand implements Callable<Integer> {
  private static final int START_SECONDS = 40;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (30 minutes), small (100 minutes) or paper (weeks, 70 GB) (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CompactScale named = CompactScale.named(scale);
    CompactScale size = named.lasting(options.duration(named.duration()));
    ModelRig rig = new ModelRig(size.faster());
    CompactExperiment experiment = new CompactExperiment(size, rig, options.seed(), options.only());
    return options.run(
        "compact",
        scale,
        rig,
        experiment.plan().size(),
        size.duration().plusSeconds(START_SECONDS),
        experiment::run);
  }
}
