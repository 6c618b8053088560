/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The cells as pictures: systems along each thing that varies, and side by side. */
final class RampFigures {
  private final ResultFolder folder;
  private final List<CellResult> results;
  private final List<String> systems;
  private final Shape plain;

  /**
   * Figures of results.
   *
   * @param systems in the order of their bars; each has a color of its own
   * @param plain the shape that others differ from
   */
  RampFigures(ResultFolder folder, List<CellResult> results, List<String> systems, Shape plain) {
    this.folder = folder;
    this.results = results;
    this.systems = systems;
    this.plain = plain;
  }

  void draw() {
    along(
        "size",
        "keys of a transaction",
        shape -> shape.withSize(plain.size()).equals(plain),
        shape -> shape.size());
    along(
        "read-share",
        "% of the transactions that read",
        shape -> shape.withReadShare(plain.readShare()).equals(plain),
        shape -> shape.readShare() * 100);
    bars(
        "throughput.png", "Transactions a second", "transactions/s", one -> one.run().throughput());
    bars("reads.png", "Mean latency of reads", "ms", one -> one.run().readTimes().getMean() / 1e6);
    bars(
        "writes.png",
        "Mean latency of writes",
        "ms",
        one -> one.run().writeTimes().getMean() / 1e6);
    bars(
        "halves.png",
        "Reads that showed halves",
        "% of the reads",
        one -> 100.0 * one.run().fracturedReads() / Math.max(1, one.run().reads()));
    bars(
        "second-rounds.png",
        "Reads that needed a second round",
        "% of the reads",
        one -> one.run().reads() == 0 ? 0 : 100 * one.run().secondRoundShare());
  }

  private void along(
      String name, String x, Predicate<Shape> belongs, ToDoubleFunction<Shape> value) {
    lines(
        "throughput-by-" + name,
        "Transactions a second",
        "transactions/s",
        x,
        belongs,
        value,
        one -> one.run().throughput());
    lines(
        "reads-by-" + name,
        "Mean latency of reads",
        "ms",
        x,
        belongs,
        value,
        one -> one.run().reads() == 0 ? Double.NaN : one.run().readTimes().getMean() / 1e6);
  }

  private void lines(
      String file,
      String title,
      String y,
      String x,
      Predicate<Shape> belongs,
      ToDoubleFunction<Shape> at,
      ToDoubleFunction<CellResult> value) {
    List<Charts.Line> lines = new ArrayList<>();
    for (String system : systems) {
      List<CellResult> own =
          results.stream()
              .filter(one -> one.cell().system().equals(system))
              .filter(one -> belongs.test(one.cell().shape()))
              .filter(one -> Double.isFinite(value.applyAsDouble(one)))
              .sorted(Comparator.comparingDouble(one -> at.applyAsDouble(one.cell().shape())))
              .toList();
      if (own.size() > 1) {
        lines.add(
            new Charts.Line(
                system,
                color(system),
                false,
                own.stream().map(one -> at.applyAsDouble(one.cell().shape())).toList(),
                own.stream().map(value::applyAsDouble).toList()));
      }
    }
    if (!lines.isEmpty()) {
      Charts.lines(folder.figure(file + ".png", title), title, x, y, lines);
    }
  }

  /** A group for the plain shape and one for each that differs from it in law or read share. */
  private void bars(String file, String title, String y, ToDoubleFunction<CellResult> value) {
    List<Shape> shapes =
        results.stream()
            .map(one -> one.cell().shape())
            .distinct()
            .filter(shape -> shape.prepared().equals(plain.prepared()))
            .toList();
    List<Charts.Bars> bars = new ArrayList<>();
    for (String system : systems) {
      List<Double> values =
          shapes.stream()
              .flatMap(
                  shape ->
                      results.stream()
                          .filter(one -> one.cell().equals(new Cell(system, shape)))
                          .map(value::applyAsDouble))
              .toList();
      if (values.size() == shapes.size() && !values.isEmpty()) {
        bars.add(new Charts.Bars(system, color(system), values));
      }
    }
    if (!bars.isEmpty()) {
      List<String> groups =
          shapes.stream()
              .map(shape -> "%.0f %% reads, %s".formatted(shape.readShare() * 100, shape.law()))
              .toList();
      Charts.bars(folder.figure(file, title), title, y, groups, bars);
    }
  }

  private int color(String system) {
    return systems.indexOf(system);
  }
}
