/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import io.kasane.bench.lab.Contestant;
import io.kasane.bench.lab.Dataset;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.bench.lab.Trial;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.Mix;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.TrialFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Three nodes, one slow disk each, all rows on all of them. */
final class CompactExperiment {
  static final String STOCK = "stock";
  static final String NO_FLUSH = "no-flush";
  private static final String PAYS = "pays";
  static final List<String> NAMES = List.of(STOCK, "k=0.3", "k=0.5", "auto", PAYS, NO_FLUSH);

  /** Where the paper's authors gained most. */
  static final double MEMORY_SKEW = 0.90;

  private static final String[] SHARES = {"0.3", "0.5"};

  private final CompactScale scale;
  private final DiskRig rig;
  private final long seed;
  private final Set<String> only;
  private final ZipfLaws zipf;

  /**
   * An experiment.
   *
   * @param only names of the contestants to run; null for all
   */
  CompactExperiment(CompactScale scale, DiskRig rig, long seed, Set<String> only) {
    this.scale = scale;
    this.rig = rig;
    this.seed = seed;
    this.zipf = new ZipfLaws(scale.rows(), seed);
    this.only = only;
  }

  /** The trials, the paper's own first. */
  List<Trial> plan() {
    List<Trial> trials = new ArrayList<>();
    List<Double> cacheShares = scale.cacheShares();
    for (double skew : scale.skews()) {
      contestants().forEach(one -> trials.add(trial(one, skew, cacheShares.get(0))));
    }
    for (double cacheShare : cacheShares.subList(1, cacheShares.size())) {
      contestants().forEach(one -> trials.add(trial(one, MEMORY_SKEW, cacheShare)));
    }
    if (only != null) {
      requireKnown(only);
      trials.removeIf(trial -> !only.contains(trial.contestant().name()));
    }
    return trials;
  }

  private static void requireKnown(Set<String> names) {
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new NodeException("--only: '" + name + "' is none of " + String.join(", ", NAMES));
      }
    }
  }

  private List<Contestant> contestants() {
    List<Contestant> all = new ArrayList<>();
    all.add(stock(STOCK, true));
    for (String share : SHARES) {
      all.add(byHeat("k=" + share, share, "6"));
    }
    all.add(byHeat("auto", "auto", "4"));
    all.add(kasane(PAYS, new LinkedHashMap<>()));
    all.add(stock(NO_FLUSH, false));
    return all;
  }

  /**
   * Stock Cassandra. That never flushes is a ceiling: every row lies in one SSTable and in memory,
   * and nothing is ever compacted.
   */
  private Contestant stock(String name, boolean flushes) {
    return new Contestant(
        name,
        false,
        Set.of(DiskRole.SLOW),
        Contestant.Ahead.NOTHING,
        flushes,
        Map.of("class", "SizeTieredCompactionStrategy", "min_sstable_size", small()));
  }

  /** As the paper has it: hot SSTables have a threshold of their own, whatever a merge costs. */
  private Contestant byHeat(String name, String share, String coldThreshold) {
    Map<String, String> compaction = new LinkedHashMap<>();
    compaction.put("slow_read_cost", "0");
    compaction.put("heat_policy", "share");
    compaction.put("heat_share", share);
    compaction.put("heat_counts", "both");
    compaction.put("hot_min_threshold", "2");
    compaction.put("min_threshold", coldThreshold);
    return kasane(name, compaction);
  }

  private Contestant kasane(String name, Map<String, String> compaction) {
    compaction.put("class", "io.kasane.tier.HeatTieredCompactionStrategy");
    compaction.put("min_sstable_size", small());
    return new Contestant(
        name, true, Set.of(DiskRole.SLOW), Contestant.Ahead.NOTHING, true, compaction);
  }

  private String small() {
    return Long.toString(scale.smallBytes());
  }

  private Trial trial(Contestant one, double skew, double cacheShare) {
    return new Trial(
        one,
        zipf.of(skew),
        skew,
        Mix.HALF,
        0,
        scale.machine(cacheShare),
        scale.warmUp(),
        scale.duration(),
        seed);
  }

  /** Runs all trials and draws the figures. */
  void run(Distribution distribution, NodeRoots roots, TrialFolder folder, Progress progress)
      throws IOException, InterruptedException {
    Dataset dataset =
        new Dataset(distribution, roots, scale.rows(), CompactScale.NODES, progress::say);
    for (Trial trial : plan()) {
      progress.begin(trial.label());
      TrialResult result = trial.run(dataset, rig, folder.filesOfNext(trial), progress::say);
      folder.add(result);
      progress.end(
          String.format(
              Locale.ROOT,
              "%,.0f ops/s (steady %,.0f), %.2f SSTables a read, %.2f of a hot key, read mean"
                  + " %.1f ms, %.0f %% from memory, %d wrong",
              result.throughput(),
              result.steadyThroughput(),
              result.sstablesPerRead(),
              result.sstablesPerHotKey(),
              result.reads().getMean() / 1e3,
              result.memoryShare() * 100,
              result.wrongReads()));
    }
    new CompactFigures(folder).draw();
    folder.writeSummary();
  }
}
