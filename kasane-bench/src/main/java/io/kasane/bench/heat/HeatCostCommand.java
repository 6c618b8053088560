/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane bench heat-cost}. */
@Command(
    name = "heat-cost",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "What it costs to know the heat of so many rows: memory, time of an access, a hot set, a save,"
          + " a start; and how good the hot sets are beside exact counts. Starts no node.",
      "100,000,000 keys want KASANE_HEAP=1g, 2 GiB outside the heap, and ten minutes."
    })
public final class HeatCostCommand implements Callable<Integer> {
  private static final int MIN_KEYS = 1_000;
  private static final double MAX_SKEW = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--keys",
      paramLabel = "N",
      split = ",",
      defaultValue = "100000,1000000,10000000",
      description =
          "How many keys are accessed, one size after the other (default: ${DEFAULT-VALUE}).")
  private List<Integer> keys = List.of();

  @Option(
      names = "--zipf",
      paramLabel = "S",
      split = ",",
      defaultValue = "0.75,0.9,0.99",
      description = "How skewed the accesses are (default: ${DEFAULT-VALUE}).")
  private List<Double> skews = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the results (default: bench-results/heat-cost-TIME).")
  private Path out;

  @Override
  public Integer call() {
    requireArguments();
    Facts facts = Facts.now("heat-cost", "own", Facts.typed(spec), Distribution.locate(), null);
    ResultFolder folder =
        new ResultFolder(
            out == null ? ResultFolder.defaultDirectory("heat-cost", "own") : out, facts);
    PrintWriter text = spec.commandLine().getOut();
    Progress progress =
        new Progress(
            text,
            Boolean.getBoolean("kasane.terminal"),
            keys.size() * skews.size(),
            Duration.ofMinutes(1));
    List<HeatCost> costs = new ArrayList<>();
    for (int count : keys) {
      for (double skew : skews) {
        progress.begin(String.format(Locale.ROOT, "%,d keys, zipf %.2f", count, skew));
        HeatCost cost = new HeatCostTrial(count, skew, folder.directory()).run(progress::say);
        costs.add(cost);
        progress.end(
            String.format(
                Locale.ROOT,
                "%.0f ns an access, %.1f bytes a key",
                cost.accessNanos(),
                cost.bytesPerKey()));
        folder.write(costs, HeatCost.table(costs));
      }
    }
    text.println("Results: " + folder.directory().resolve("README.md"));
    text.flush();
    return 0;
  }

  private void requireArguments() {
    for (int count : keys) {
      if (count < MIN_KEYS || count > HeatTrackerOptions.MAX_CAPACITY) {
        throw new NodeException(
            String.format(
                Locale.ROOT,
                "--keys: %,d is not from %,d to %,d, which is the most that a tracker has",
                count,
                MIN_KEYS,
                HeatTrackerOptions.MAX_CAPACITY));
      }
    }
    for (double skew : skews) {
      if (!(skew >= 0 && skew <= MAX_SKEW) || skew == 1) {
        throw new NodeException(
            "--zipf: " + skew + " is not from 0 to " + MAX_SKEW + ", or is 1: take 0.99");
      }
    }
  }
}
