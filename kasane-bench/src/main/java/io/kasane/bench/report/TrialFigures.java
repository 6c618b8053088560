/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.Sample;
import io.kasane.bench.lab.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Figures of trials: systems over time, and side by side. */
public final class TrialFigures {
  private static final int SMOOTHED_SECONDS = 5;

  /** Farther away it would press the curves together. */
  private static final double MAX_TIMES_IN_SIGHT = 3;

  private final TrialFolder folder;
  private final List<String> names;
  private final Set<String> bounds;

  /**
   * Figures for a folder.
   *
   * @param names of all systems, in the order of their bars; each has a color of its own
   * @param bounds those that are bounds rather than contestants
   */
  public TrialFigures(TrialFolder folder, List<String> names, Set<String> bounds) {
    this.folder = folder;
    this.names = List.copyOf(names);
    this.bounds = Set.copyOf(bounds);
  }

  private int color(String system) {
    return names.indexOf(system);
  }

  /** Draws a curve for each trial: means of five seconds. Seconds without a value are left out. */
  public void overTime(
      String file,
      String title,
      String y,
      List<TrialResult> trials,
      ToDoubleFunction<Sample> value) {
    List<Charts.Line> lines = trials.stream().map(trial -> line(trial, value)).toList();
    if (!lines.isEmpty()) {
      Charts.lines(folder.figure(file, title), title, "seconds", y, lines);
    }
  }

  /** The same of operations per second, with the trials' limit where it is in sight. */
  public void throughputOverTime(String file, String title, List<TrialResult> trials) {
    List<Charts.Line> lines =
        new ArrayList<>(
            trials.stream()
                .map(trial -> line(trial, s -> s.load().operationsPerSecond()))
                .toList());
    double limit = trials.stream().mapToDouble(TrialResult::limit).max().orElse(Double.NaN);
    double most =
        lines.stream().flatMap(line -> line.y().stream()).mapToDouble(y -> y).max().orElse(0);
    if (limit < MAX_TIMES_IN_SIGHT * most) {
      List<Double> x = lines.get(0).x();
      List<Double> ends = List.of(x.get(0), x.get(x.size() - 1));
      lines.add(new Charts.Line("limit", names.size(), true, ends, List.of(limit, limit)));
    }
    if (!lines.isEmpty()) {
      Charts.lines(folder.figure(file, title), title, "seconds", "operations/s", lines);
    }
  }

  private Charts.Line line(TrialResult result, ToDoubleFunction<Sample> value) {
    List<Sample> samples = result.samples();
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int from = 0; from < samples.size(); from += SMOOTHED_SECONDS) {
      List<Sample> some =
          samples.subList(from, Math.min(samples.size(), from + SMOOTHED_SECONDS)).stream()
              .filter(sample -> Double.isFinite(value.applyAsDouble(sample)))
              .toList();
      if (!some.isEmpty()) {
        x.add(some.stream().mapToDouble(s -> s.load().atSeconds()).average().orElseThrow());
        y.add(some.stream().mapToDouble(value).average().orElseThrow());
      }
    }
    String name = result.trial().contestant().name();
    return new Charts.Line(name, color(name), bounds.contains(name), x, y);
  }

  /** Draws one curve a system through its trials, where it has more than one. */
  public void along(
      String file,
      String title,
      String x,
      String y,
      List<TrialResult> trials,
      ToDoubleFunction<TrialResult> at,
      ToDoubleFunction<TrialResult> value) {
    List<Charts.Line> lines = new ArrayList<>();
    for (String name : names) {
      List<TrialResult> own = of(name, trials);
      if (own.size() > 1) {
        lines.add(
            new Charts.Line(
                name,
                color(name),
                bounds.contains(name),
                own.stream().map(at::applyAsDouble).toList(),
                own.stream().map(value::applyAsDouble).toList()));
      }
    }
    if (!lines.isEmpty()) {
      Charts.lines(folder.figure(file, title), title, x, y, lines);
    }
  }

  /**
   * Draws a group of bars for each group name, a bar a system; systems that lack a group are left
   * out.
   *
   * @param groups which trials belong to each group
   */
  public void bars(
      String file,
      String title,
      String y,
      List<String> groupNames,
      List<Predicate<TrialResult>> groups,
      List<TrialResult> trials,
      ToDoubleFunction<TrialResult> value) {
    List<Charts.Bars> bars = new ArrayList<>();
    for (String name : names) {
      List<Double> values =
          IntStream.range(0, groups.size())
              .boxed()
              .flatMap(i -> of(name, trials).stream().filter(groups.get(i)).limit(1))
              .map(value::applyAsDouble)
              .toList();
      if (values.size() == groups.size()) {
        bars.add(new Charts.Bars(name, color(name), values));
      }
    }
    if (!bars.isEmpty()) {
      Charts.bars(folder.figure(file, title), title, y, groupNames, bars);
    }
  }

  private static List<TrialResult> of(String system, List<TrialResult> trials) {
    return trials.stream()
        .filter(result -> result.trial().contestant().name().equals(system))
        .toList();
  }
}
