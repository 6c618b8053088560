/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.heat.sim.Hits;
import io.kasane.heat.sim.Replay;
import io.kasane.heat.sim.Trace;
import io.kasane.heat.sim.TrackedChooser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Every policy and oracle on the same accesses, source after source, budget after budget. */
final class HeatExperiment {
  static final String ONLINE = "online";
  static final String CLAIRVOYANT = "clairvoyant";

  private static final double[] BUDGETS = {0.01, 0.02, 0.05, 0.10, 0.20};

  private final List<Source> sources;
  private final long seed;
  private final List<HeatResult> results = new ArrayList<>();

  HeatExperiment(List<Source> sources, long seed) {
    this.sources = sources;
    this.seed = seed;
  }

  int steps() {
    return sources.size() * BUDGETS.length;
  }

  /** Replays everything; writes numbers and figures source by source. */
  void run(ResultFolder folder, Progress progress) {
    RawHits raw = new RawHits(folder.directory().resolve("raw"));
    HeatFigures figures = new HeatFigures(folder);
    for (Source source : sources) {
      Trace trace = source.trace().get();
      for (double budget : BUDGETS) {
        progress.begin(String.format(Locale.ROOT, "%s, %.0f %%", source.name(), budget * 100));
        progress.say("oracles");
        HeatCell cell = HeatCell.of(source, trace, budget, seed);
        Map<String, Hits> hits = replay(cell, progress);
        raw.overTime(cell, hits);
        if (source.shifts()) {
          figures.overTime(cell, hits);
        }
        progress.end(
            String.format(
                Locale.ROOT,
                "hit share %.1f %%, online %.1f %%, clairvoyant %.1f %%",
                hits.get(TrackedPolicy.BUDGET.label()).share() * 100,
                cell.online().share() * 100,
                cell.clairvoyant().share() * 100));
      }
      figures.byBudget(
          source.name(), results.stream().filter(r -> r.source().equals(source.name())).toList());
      raw.results(results);
      folder.write(results, HeatTables.of(results));
    }
  }

  private Map<String, Hits> replay(HeatCell cell, Progress progress) {
    Map<String, Hits> hits = new LinkedHashMap<>();
    double heatShare = 1;
    for (TrackedPolicy policy : TrackedPolicy.values()) {
      progress.say(policy.label());
      TrackedChooser chooser = policy.chooser(cell, heatShare);
      Hits ofPolicy = Replay.run(cell.trace(), chooser, policy.chooseEvery(cell));
      if (policy == TrackedPolicy.BUDGET) {
        heatShare = chooser.meanHeatShare();
      }
      hits.put(policy.label(), ofPolicy);
      results.add(HeatResult.of(cell, policy, ofPolicy, chooser.tracker()));
    }
    hits.put(ONLINE, cell.online());
    hits.put(CLAIRVOYANT, cell.clairvoyant());
    return hits;
  }
}
