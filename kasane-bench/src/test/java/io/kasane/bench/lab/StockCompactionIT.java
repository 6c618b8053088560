/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.load.Mix;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.node.Distribution;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The baseline is a whole Cassandra: it compacts on small disks, too. */
@Tag("node")
@Tag("long")
class StockCompactionIT {
  private static final int ROWS = 5_000;
  private static final long SEED = 1;
  private static final double SKEW = 0.99;
  private static final double FASTER = 8;

  /** As large as the data, 6 MB, since stock Cassandra sends half of all updates there. */
  private static final double FAST_SHARE = 1;

  /** Less than the SSTable of all rows, which has no room on fast beside itself. */
  private static final String SMALL_BYTES = "1000000";

  /** Memory for files 1 MiB, memtables 256 KiB: several flushes in a few seconds. */
  private static final Machine MACHINE = new Machine(1, 256, 32, 16, 0, 1L << 40);

  @TempDir private Path dir;

  @Test
  void shouldCompactOnDisksThatAreSmall() throws Exception {
    ModelRig rig = new ModelRig(FASTER);
    NodeRoots roots = rig.open(dir.resolve("work"));
    Dataset dataset = new Dataset(Distribution.locate(), roots, ROWS, 1, step -> {});
    Trial trial =
        new Trial(
            Contestant.STOCK.with("min_sstable_size", SMALL_BYTES),
            new ZipfLaws(ROWS, SEED).of(SKEW),
            SKEW,
            Mix.HALF,
            FAST_SHARE,
            MACHINE,
            Duration.ZERO,
            Duration.ofSeconds(8),
            SEED);

    TrialResult result = trial.run(dataset, rig, dir.resolve("trial"), step -> {});

    assertThat(result.refusedCompactions()).as("compactions without room").isZero();
    assertThat(result.compactionBytesPerUserByte()).as("written by compaction").isPositive();
    assertThat(result.wrongReads() + result.failedOperations()).isZero();
  }
}
