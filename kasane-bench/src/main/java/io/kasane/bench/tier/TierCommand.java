/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.ExperimentOptions;
import io.kasane.bench.rig.DiskOptions;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
  private static final int START_SECONDS = 20;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "smoke",
      description =
          "smoke (20 minutes), small (90 minutes) or paper (days, 30 GB) (default:"
              + " ${DEFAULT-VALUE}).")
  private String scale;

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
      names = "--rate",
      paramLabel = "N",
      description =
          "Send N operations a second, and count latencies from when each was due (default: each"
              + " of 16 clients sends one as soon as it has an answer).")
  private Double rate;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = {
        "Rows of 1 KB, at least 100000; memory, memtables and the fast disk keep their share of the"
            + " data (default: as the scale says). What takes the same time however large the data"
            + " is, such as writing a small SSTable or compiling a fresh node's code, weighs less"
            + " on more of them."
      })
  private Integer rows;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description =
          "A compaction option of the systems heat, cache and one-disk, such as fast_fill=0.6;"
              + " may be repeated.")
  private Map<String, String> compaction = new LinkedHashMap<>();

  @Mixin private DiskOptions disks;
  @Mixin private ExperimentOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TierScale size = TierScale.named(scale);
    size = size.lasting(options.duration(size.duration()));
    if (rows != null) {
      size = size.of(rows);
    }
    if (rate != null) {
      size = size.atRate(rate);
    }
    size.requireMemory();
    DiskRig rig = disks.rig(size.faster(), size.dataBytes(), options.work());
    TierExperiment experiment =
        new TierExperiment(size, rig, options.seed(), options.only(), keys, mix(), compaction);
    return options.run(
        "tier",
        scale,
        rig,
        experiment.plan().size(),
        size.duration().plusSeconds(START_SECONDS),
        experiment::run);
  }

  private Mix mix() {
    if (mix != null && keys == null) {
      throw new NodeException("--mix: needs --keys, which tells the keys; write --keys zipf");
    }
    return mix == null ? Mix.HALF : Mix.parse(mix);
  }
}
