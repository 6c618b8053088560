/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import io.kasane.heat.sim.Hits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Hit shares by budget and over time, policies beside oracles. */
final class HeatFigures {
  private final ResultFolder folder;

  HeatFigures(ResultFolder folder) {
    this.folder = folder;
  }

  /** Draws the hit share of every policy and oracle at each budget of one source. */
  void byBudget(String source, List<HeatResult> results) {
    List<Charts.Bars> bars = new ArrayList<>();
    for (TrackedPolicy policy : TrackedPolicy.values()) {
      bars.add(bars(policy.label(), ofPolicy(results, policy), HeatResult::hitShare));
    }
    List<HeatResult> any = ofPolicy(results, TrackedPolicy.BUDGET);
    bars.add(bars(HeatExperiment.ONLINE, any, HeatResult::onlineShare));
    bars.add(bars(HeatExperiment.CLAIRVOYANT, any, HeatResult::clairvoyantShare));
    String title = "Hit share by budget, " + source;
    Charts.bars(
        folder.figure("hits-" + source + ".png", title),
        title,
        "% of the accesses",
        any.stream().map(r -> "%.0f %% of keys hot".formatted(r.budgetShare() * 100)).toList(),
        bars);
  }

  private static List<HeatResult> ofPolicy(List<HeatResult> results, TrackedPolicy policy) {
    return results.stream().filter(result -> result.policy().equals(policy.label())).toList();
  }

  private static Charts.Bars bars(
      String name, List<HeatResult> results, ToDoubleFunction<HeatResult> share) {
    return new Charts.Bars(
        name, color(name), results.stream().map(r -> share.applyAsDouble(r) * 100).toList());
  }

  /** Draws the hit share of every policy and oracle in the course of one source. */
  void overTime(HeatCell cell, Map<String, Hits> hits) {
    List<Charts.Line> lines = new ArrayList<>();
    hits.forEach((name, one) -> lines.add(line(name, one, cell)));
    String budget = String.format(Locale.ROOT, "%.0f", cell.budgetShare() * 100);
    String title =
        "Hit share over time, %s, budget %s %% of the keys".formatted(cell.source().name(), budget);
    Charts.lines(
        folder.figure(cell.source().name() + "-over-time-" + budget + ".png", title),
        title,
        "thousands of accesses",
        "% of the accesses",
        lines);
  }

  private static Charts.Line line(String name, Hits hits, HeatCell cell) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    int step = cell.chooseEvery();
    // XChart puts ticks on round numbers only if the points are not all equally far apart.
    x.add(0.0);
    y.add(hits.share(0, step) * 100);
    for (int end = step; end <= hits.accesses(); end += step) {
      x.add((end - step / 2) / 1e3);
      y.add(hits.share(end - step, end) * 100);
    }
    return new Charts.Line(name, color(name), isOracle(name), x, y);
  }

  private static boolean isOracle(String name) {
    return name.equals(HeatExperiment.ONLINE) || name.equals(HeatExperiment.CLAIRVOYANT);
  }

  private static int color(String name) {
    return switch (name) {
      case "budget" -> 4;
      case "budget-4x" -> 6;
      case "budget-2x" -> 7;
      case "share" -> 5;
      case "window" -> 2;
      case HeatExperiment.ONLINE -> 3;
      default -> 0;
    };
  }
}
