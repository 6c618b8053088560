/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kasane bench windows}. */
@Command(
    name = "windows",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "A time series whose rows expire, in windows of a minute: Kasane beside stock"
          + " TimeWindowCompactionStrategy on the slow disk alone and on both disks. 90 of 100 reads"
          + " are of the newest window.",
      "Every read is checked. Leaves a folder with numbers, figures and a summary. Ends with 0 only"
          + " if no read was wrong."
    })
public final class WindowsCommand implements Callable<Integer> {
  private static final int START_SECONDS = 240;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (35 minutes) or small (75 minutes); --seconds says how long is measured (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    WindowsScale size = WindowsScale.named(scale);
    size = size.lasting(options.duration(size.measured()));
    List<WindowsSystem> systems = WindowsSystem.chosen(options.only());
    WindowsExperiment experiment = new WindowsExperiment(size, systems, options.seed());
    Distribution distribution = Distribution.locate();
    ResultFolder folder =
        new ResultFolder(
            options.directory("windows", scale),
            options.facts("windows", scale, distribution, new ModelRig(size.faster()).describe()));
    Duration perTurn = size.settling().plus(size.measured()).plusSeconds(START_SECONDS);
    options.onNodes(
        () -> {},
        nodes ->
            experiment.run(distribution, nodes, folder, options.progress(systems.size(), perTurn)));
    options.tellResults(folder.directory());
    return experiment.isRight() ? 0 : 1;
  }
}
