/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import io.kasane.bench.arena.ArenaDemo;
import io.kasane.bench.ramp.demo.RampDemo;
import io.kasane.cli.CommandExtension;
import io.kasane.cli.output.TextTable;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane demo}: hot rows move to fast while every read is checked. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts a node in a temporary directory, loads rows onto its slow directory, then reads and"
          + " updates them with a Zipf skew while the hot ones move to a fast directory that holds"
          + " a tenth of the data.",
      "Every read is checked. Leaves no process and no file behind. Ends with 0 only if the run"
          + " completed and no read was wrong."
    })
public final class DemoCommand implements CommandExtension, Callable<Integer> {
  private static final int IN_FLIGHT = 32;
  private static final int SECONDS = 120;
  private static final int OTHER_SECONDS = 30;

  @Spec private CommandSpec spec;

  @Option(
      names = "--ramp",
      description =
          "Show another thing instead: readers that see halves of what a LOGGED BATCH wrote, and"
              + " never of what RAMP wrote, on three nodes. Only --seconds goes with it.")
  private boolean ramp;

  @Option(
      names = "--arena",
      description =
          "Show another thing instead: the same transactions read by CQL and from a node's shared"
              + " memory. Only --seconds goes with it.")
  private boolean arena;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of 500 to 1000 bytes (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long to read and update (default: 120; with --ramp or --arena 30).")
  private Integer seconds;

  @Option(
      names = "--skew",
      paramLabel = "X",
      defaultValue = "0.99",
      description = "Exponent of the Zipf law, 0 for none (default: ${DEFAULT-VALUE}).")
  private double skew;

  @Option(
      names = "--updates",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "How many of 100 operations are updates (default: ${DEFAULT-VALUE}).")
  private int updates;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "6000",
      description = "The most operations to send each second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides which rows are hot (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write the result to this file, as JSON.")
  private Path report;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Also draw how the share of reads from fast rose, as PNG.")
  private Path picture;

  @Option(
      names = "--keep",
      description = "Keep the temporary directory: data, logs, configuration.")
  private boolean keep;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (ramp) {
      return RampDemo.run(Distribution.locate(), durationOf("--ramp"), out);
    }
    if (arena) {
      return ArenaDemo.run(durationOf("--arena"), out);
    }
    int duration = seconds == null ? SECONDS : seconds;
    DemoSettings settings = new DemoSettings(rows, duration, skew, updates, rate, IN_FLIGHT, seed);
    DemoReport result = new DemoRun(Distribution.locate(), settings, keep, out).run();
    print(out, result);
    if (report != null) {
      result.write(report);
    }
    if (picture != null) {
      result.draw(picture);
    }
    return result.passed() ? 0 : 1;
  }

  /** Of a demonstration that takes nothing else. */
  private Duration durationOf(String demonstration) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!Set.of(demonstration, "--seconds").contains(option.longestName())) {
        throw new NodeException(
            option.longestName()
                + ": has no meaning with "
                + demonstration
                + "; leave one of them out");
      }
    }
    int duration = seconds == null ? OTHER_SECONDS : seconds;
    if (duration < 1 || duration > 86_400) {
      throw new NodeException("--seconds: " + duration + " is outside 1..86400");
    }
    return Duration.ofSeconds(duration);
  }

  private static void print(PrintWriter out, DemoReport result) {
    out.println();
    out.print(
        new TextTable()
            .row("reads served from fast, before", TextTable.percent(result.fastReadShareStart()))
            .row("reads served from fast, after", TextTable.percent(result.fastReadShareEnd()))
            .row("  foreseen from heat", TextTable.percent(result.fastReadShareForeseen()))
            .row(
                "  ceiling: the hottest tenth of the rows on fast",
                TextTable.percent(result.ceiling()))
            .row("operations", "%,d".formatted(result.ops()))
            .row("operations that failed", "%,d".formatted(result.failedOperations()))
            .row("wrong reads", "%,d".formatted(result.wrongReads()))
            .row("seconds", "%.0f".formatted(result.seconds())));
    if (result.firstProblem() != null) {
      out.println("First problem: " + result.firstProblem());
    }
    out.flush();
  }
}
