/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.rdma.Contestant.Store;
import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The paper's figures: throughput by size, by read share of both workloads, and by arena. */
final class RdmaFigures {
  private final ResultFolder folder;
  private final List<Measured> all;
  private final List<Contestant> contestants;

  RdmaFigures(ResultFolder folder, List<Measured> all, List<Contestant> contestants) {
    this.folder = folder;
    this.all = all;
    this.contestants = contestants;
  }

  void draw() {
    Shape micro = RdmaScale.micro();
    Shape ycsb = RdmaScale.ycsb();
    bars(micro);
    lines(
        "size",
        "Keys of 100 bytes, 95 % reads",
        "keys of a transaction",
        Store.MEMORY,
        shape -> shape.withSize(micro.size()).equals(micro),
        Shape::size);
    lines(
        "read-share",
        "Eight keys of 100 bytes",
        "% of the transactions that read",
        Store.MEMORY,
        shape -> shape.withReadShare(micro.readShare()).equals(micro),
        shape -> shape.readShare() * 100);
    for (Store store : Store.values()) {
      lines(
          store == Store.MEMORY ? "ycsb" : "ycsb-on-a-node",
          "Four keys of 1,000 bytes" + (store == Store.MEMORY ? "" : ", on a node"),
          "% of the transactions that read",
          store,
          shape -> shape.withReadShare(ycsb.readShare()).equals(ycsb),
          shape -> shape.readShare() * 100);
    }
    lines(
        "arena",
        "Four keys of 1,000 bytes, 95 % reads",
        "% of the keys that have room in the arena",
        Store.MEMORY,
        shape -> shape.readShare() == 0.95 && shape.keys() == ycsb.keys(),
        shape -> shape.arenaShare() * 100);
  }

  private void bars(Shape shape) {
    List<Charts.Bars> bars = new ArrayList<>();
    for (Contestant contestant : contestants) {
      all.stream()
          .filter(one -> one.shape().equals(shape) && one.contestant().equals(contestant))
          .map(one -> one.run().throughput())
          .forEach(
              value ->
                  bars.add(
                      new Charts.Bars(
                          contestant.label(), contestants.indexOf(contestant), List.of(value))));
    }
    if (!bars.isEmpty()) {
      String title = "Transactions a second, transports side by side";
      Charts.bars(
          folder.figure("transports.png", title),
          title,
          "transactions/s",
          List.of(shape.describe()),
          bars);
    }
  }

  /**
   * Without those that have no control, which are several times as fast: bars and tables show them.
   */
  private void lines(
      String file,
      String title,
      String x,
      Store store,
      Predicate<Shape> isIn,
      ToDoubleFunction<Shape> at) {
    List<Charts.Line> lines = new ArrayList<>();
    List<Contestant> drawn =
        contestants.stream()
            .filter(one -> one.store() == store && one.promisesAtomicReads())
            .toList();
    for (Contestant contestant : drawn) {
      List<Measured> own =
          all.stream()
              .filter(one -> one.contestant().equals(contestant) && isIn.test(one.shape()))
              .sorted(Comparator.comparingDouble(one -> at.applyAsDouble(one.shape())))
              .toList();
      if (own.size() > 1) {
        lines.add(
            new Charts.Line(
                contestant.label(),
                drawn.indexOf(contestant),
                false,
                own.stream().map(one -> at.applyAsDouble(one.shape())).toList(),
                own.stream().map(one -> one.run().throughput()).toList()));
      }
    }
    if (!lines.isEmpty()) {
      Charts.lines(
          folder.figure("throughput-by-" + file + ".png", title),
          title,
          x,
          "transactions/s",
          lines);
    }
  }
}
