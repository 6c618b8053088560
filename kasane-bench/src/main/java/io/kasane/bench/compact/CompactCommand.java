/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.report.ExperimentOptions;
import java.io.IOException;
import java.util.List;
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
  private static final int START_SECONDS = 60;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (47 minutes), small (140 minutes) or paper (weeks, 80 GB) (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--skews",
      paramLabel = "S",
      split = ",",
      description = "Exponents of the keys' law (default: 0.99,0.90,0.75).")
  private List<Double> skews;

  @Option(
      names = "--memory",
      paramLabel = "SHARE",
      split = ",",
      description =
          "Memory for files, as shares of the data; the first one for all skews, the others for"
              + " s = 0.90 (default: 0.45 and as the scale says).")
  private List<Double> memory;

  @Option(
      names = "--faster",
      paramLabel = "X",
      description =
          "Time-lapse of the modelled disks (default: as the scale says). With little memory, disks"
              + " are what nodes wait for at higher speeds too, and a trial sees more flushes.")
  private Double faster;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CompactScale size = CompactScale.named(scale);
    size = size.lasting(options.duration(size.duration()));
    size = skews == null ? size : size.withSkews(skews);
    size = memory == null ? size : size.withCacheShares(memory);
    size = faster == null ? size : size.withFaster(faster);
    size.requireMemory();
    ModelRig rig = new ModelRig(size.faster(), true);
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
