/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.TrialFolder;
import io.kasane.bench.rig.DirectoryRig;
import io.kasane.bench.rig.LoopRig;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, on real nodes over disks of the kernel's. */
@Tag("node")
@Tag("long")
class RealDisksIT {
  private static final TierScale SCALE =
      new TierScale("test", 5_000, Duration.ofSeconds(8), 0, 8, false);

  /** Far less than these disks could answer. */
  private static final double RATE = 150;

  @TempDir private Path dir;

  @Test
  void shouldKeepDataInTheTwoDirectories() throws Exception {
    Path slow = Files.createDirectory(dir.resolve("slow-disk"));
    Path fast = Files.createDirectory(dir.resolve("fast-disk"));
    WatchedRig rig = new WatchedRig(new DirectoryRig(slow, fast, SCALE.dataBytes()));

    List<TrialResult> results = run(SCALE.atRate(RATE), rig, "oracle", "all-fast");

    requireRight(results);
    assertThat(results)
        .allSatisfy(result -> assertThat(result.throughput()).isBetween(RATE * 0.7, RATE * 1.1));
    assertThat(rig.seen().get(0))
        .anyMatch(file -> file.startsWith(slow))
        .anyMatch(file -> file.startsWith(fast));
    assertThat(rig.seen().get(1)).isNotEmpty().allMatch(file -> file.startsWith(fast));
    assertThat(dir.resolve("out/README.md")).content().contains(slow.toString(), fast.toString());
    assertThat(slow).isEmptyDirectory();
    assertThat(fast).isEmptyDirectory();
  }

  @Test
  void shouldRunOnLoopDevicesAndRemoveThem() throws Exception {
    assumeTrue(LoopRig.missing().isEmpty(), () -> "loop devices cannot be had here");
    WatchedRig rig = new WatchedRig(new LoopRig(SCALE.faster(), SCALE.dataBytes()));

    List<TrialResult> results = run(SCALE, rig, "all-slow", "oracle");

    requireRight(results);
    Path slow = dir.resolve("work/disks/slow");
    Path fast = dir.resolve("work/disks/fast");
    assertThat(rig.seen().get(0)).isNotEmpty().allMatch(file -> file.startsWith(slow));
    assertThat(rig.seen().get(1))
        .anyMatch(file -> file.startsWith(slow))
        .anyMatch(file -> file.startsWith(fast));
    assertThat(results.get(0).slowReadsPerRead()).isGreaterThan(0.2);
    assertThat(slow).isEmptyDirectory();
    assertThat(Files.readAllLines(Path.of("/proc/self/mounts")))
        .noneMatch(line -> line.contains(dir.toString()));
    // Refuses to be made beside what an earlier one has left.
    new LoopRig(SCALE.faster(), SCALE.dataBytes()).close();
  }

  private List<TrialResult> run(TierScale scale, WatchedRig rig, String first, String second)
      throws Exception {
    Distribution distribution = Distribution.locate();
    Facts facts = Facts.now("tier", "test", "none", distribution, rig.describe());
    TrialFolder folder = new TrialFolder(dir.resolve("out"), facts);
    TierExperiment experiment =
        new TierExperiment(scale, rig, 1, Set.of(first, second), "zipf", Mix.HALF, Map.of());
    Progress progress =
        new Progress(new PrintWriter(new StringWriter()), false, 2, Duration.ofMinutes(1));
    try (rig) {
      experiment.run(distribution, rig.open(dir.resolve("work")), folder, progress);
    }
    return folder.results();
  }

  private static void requireRight(List<TrialResult> results) {
    assertThat(results).hasSize(2);
    for (TrialResult result : results) {
      String problem = result.trial().label() + ": " + result.firstProblem();
      assertThat(result.wrongReads()).as(problem).isZero();
      assertThat(result.failedOperations()).as(problem).isZero();
      assertThat(result.throughput()).isPositive();
    }
  }
}
