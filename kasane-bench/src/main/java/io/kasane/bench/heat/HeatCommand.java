/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kasane bench heat}. */
@Command(
    name = "heat",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "How good the hot sets are: Kasane's tracker and policies on generated streams and real"
          + " traces, beside exact counts and the best set known beforehand. Starts no node.",
      "Leaves a folder with raw numbers, figures and a summary."
    })
public final class HeatCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (2 minutes), small (15 minutes) or paper (half a day, KASANE_HEAP=9g) (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the results (default: bench-results/heat-SCALE-TIME).")
  private Path out;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draws other accesses (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Parameters(
      paramLabel = "SOURCE",
      arity = "0..*",
      description = {
        "A trace to replay as well (.trace or .trace.xz: big-endian ints, one key per access), or"
            + " a generated stream to run instead of all: "
            + Sources.NAMES
            + "."
      })
  private List<String> sources = List.of();

  @Override
  public Integer call() {
    HeatScale size = HeatScale.named(scale);
    size.requireMemory();
    HeatExperiment experiment = new HeatExperiment(Sources.named(sources, size, seed), seed);
    Facts facts = Facts.now("heat", scale, Facts.typed(spec), Distribution.locate(), null);
    ResultFolder folder =
        new ResultFolder(out == null ? ResultFolder.defaultDirectory("heat", scale) : out, facts);
    PrintWriter text = spec.commandLine().getOut();
    boolean live = Boolean.getBoolean("kasane.terminal");
    experiment.run(folder, new Progress(text, live, experiment.steps(), size.perStep()));
    text.println("Results: " + folder.directory().resolve("README.md"));
    text.flush();
    return 0;
  }
}
