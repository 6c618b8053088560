/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.ModelRig;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.bench.report.TrialFolder;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane bench tier}. */
@Command(
    name = "tier",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Hot rows on the fast disk: Kasane, stock Cassandra and two simpler placements on the same"
          + " disks, data and load, beside the best that any placement could do.",
      "Leaves a folder with raw numbers, figures and a summary. Ends with 0 only if no read was"
          + " wrong."
    })
public final class TierCommand implements Callable<Integer> {
  private static final int LEAST_SECONDS = 6;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (20 minutes), small (90 minutes) or paper (days, 30 GB) (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the results (default: bench-results/tier-SCALE-TIME).")
  private Path out;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where nodes run (default: a temporary directory).")
  private Path work;

  @Option(
      names = "--only",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Run these systems only, such as stock,heat.")
  private Set<String> only;

  @Option(
      names = "--keys",
      paramLabel = "LAW",
      description = {
        "Run this one law of keys instead of the scale's figures: " + KeyLaws.SYNTAX + "."
      })
  private String keys;

  @Option(
      names = "--mix",
      paramLabel = "R/U",
      description =
          "Reads and updates of 100 operations, such as 95/5; 95/5-5/95 changes in the course of"
              + " the run (default: 50/50). Only with --keys.")
  private String mix;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each system is loaded (default: as the scale says).")
  private Integer seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides which rows are hot (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TierScale size = TierScale.named(scale);
    if (seconds != null) {
      if (seconds < LEAST_SECONDS) {
        throw new NodeException(
            "--seconds: " + seconds + " is too short to measure; use at least " + LEAST_SECONDS);
      }
      size = size.lasting(Duration.ofSeconds(seconds));
    }
    Distribution distribution = Distribution.locate();
    size.requireMemory();
    ModelRig rig = new ModelRig(size.faster());
    TierExperiment experiment = new TierExperiment(size, rig, seed, only, keys, mix());
    int trials = experiment.plan().size();
    Facts facts = Facts.now("tier", scale, Facts.typed(spec), distribution, rig.describe());
    TrialFolder folder =
        new TrialFolder(out == null ? ResultFolder.defaultDirectory("tier", scale) : out, facts);
    Path nodes = work == null ? Files.createTempDirectory("kasane-bench") : work;
    PrintWriter text = spec.commandLine().getOut();
    boolean live = Boolean.getBoolean("kasane.terminal");
    Progress progress = new Progress(text, live, trials, size.duration().plusSeconds(20));
    try {
      experiment.run(distribution, nodes, folder, progress);
    } finally {
      DirectoryUse.delete(nodes);
    }
    text.println("Results: " + folder.directory().resolve("README.md"));
    text.flush();
    return folder.results().stream().mapToLong(TrialResult::wrongReads).sum() == 0 ? 0 : 1;
  }

  private Mix mix() {
    if (mix != null && keys == null) {
      throw new NodeException("--mix: needs --keys, which tells the keys; write --keys zipf");
    }
    return mix == null ? Mix.HALF : Mix.parse(mix);
  }
}
