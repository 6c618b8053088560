/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.node.NodeException;
import io.kasane.ramp.protocol.RampOptions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How large the experiment is: one shape, and others that differ from it in one thing each.
 *
 * @param shapes what is run, the plain one first
 * @param passes how many times each key is written before anything is measured
 * @param preheat of each system before the first cell, for the nodes' compiler; zero for none
 * @param turns how many times the systems take turns in each shape, so that what else the machine
 *     does meets all of them
 * @param warmUp of each turn, not measured
 * @param duration of each turn
 * @param gcWindow how long RAMP keeps overwritten versions: short enough that what a cell
 *     overwrites is collected while it runs
 */
record RampScale(
    String name,
    List<Shape> shapes,
    int passes,
    Duration preheat,
    int turns,
    Duration warmUp,
    Duration duration,
    Duration gcWindow) {
  static final int NODES = 3;

  /** Written once, and overwritten ten times. */
  private static final int PASSES = 11;

  private static final String UNIFORM = "uniform";
  private static final String ZIPF = "zipf:0.99";

  static RampScale named(String name) {
    return switch (name) {
      case "smoke" ->
          new RampScale(
              name,
              smoke(),
              PASSES,
              Duration.ofSeconds(4),
              1,
              Duration.ofSeconds(3),
              Duration.ofSeconds(4),
              Duration.ofSeconds(3));
      case "small" ->
          new RampScale(
              name,
              small(),
              PASSES,
              Duration.ofSeconds(10),
              1,
              Duration.ofSeconds(5),
              Duration.ofSeconds(10),
              Duration.ofSeconds(5));
      case "paper" ->
          new RampScale(
              name,
              paper(),
              PASSES,
              Duration.ofSeconds(30),
              1,
              Duration.ofSeconds(30),
              Duration.ofSeconds(60),
              Duration.ofSeconds(30));
      case "cost" ->
          new RampScale(
              name,
              cost(),
              PASSES,
              Duration.ofSeconds(15),
              5,
              Duration.ofSeconds(1),
              Duration.ofSeconds(4),
              RampOptions.defaults().gcWindow());
      default ->
          throw new NodeException("--scale: '" + name + "' is none of smoke, small, paper, cost");
    };
  }

  private static List<Shape> smoke() {
    Shape plain = new Shape(1_000, 1_000, 4, 0.95, UNIFORM, 16);
    return List.of(plain, plain.withReadShare(0.5), plain.withLaw(ZIPF), plain.withSize(16));
  }

  private static List<Shape> small() {
    Shape plain = new Shape(10_000, 1_000, 4, 0.95, UNIFORM, 16);
    Set<Shape> shapes = around(plain, List.of(0.0, 0.25, 0.5, 0.75, 1.0));
    shapes.add(plain.withValueBytes(100));
    shapes.add(plain.withValueBytes(8_000));
    return List.copyOf(shapes);
  }

  /** The prototype's of the SIGMOD paper, then 1,000 keys of 1 KB. */
  private static List<Shape> paper() {
    List<Double> shares = List.of(0.0, 0.25, 0.5, 0.75, 1.0);
    Set<Shape> shapes = around(new Shape(1_000_000, 1, 4, 0.95, UNIFORM, 64), shares);
    Shape few = new Shape(1_000, 1_000, 4, 0, UNIFORM, 64);
    shares.forEach(share -> shapes.add(few.withReadShare(share)));
    return List.copyOf(shapes);
  }

  /** Eight keys, that nobody else wants, and that others want, too. */
  private static List<Shape> cost() {
    Shape plain = new Shape(2_000, 100, 8, 0.5, UNIFORM, 1);
    return List.of(plain, plain.withLaw(ZIPF).withClients(4));
  }

  private static Set<Shape> around(Shape plain, List<Double> shares) {
    Set<Shape> shapes = new LinkedHashSet<>();
    shapes.add(plain);
    shapes.add(plain.withLaw(ZIPF));
    shapes.add(plain.withLaw(ZIPF).withReadShare(0.5));
    shares.forEach(share -> shapes.add(plain.withReadShare(share)));
    for (int size = 1; size <= 128; size *= 2) {
      shapes.add(plain.withSize(size));
    }
    return shapes;
  }

  /**
   * Whether each turn pays for what it leaves to be collected, and no other does. A shorter warm-up
   * leaves it out.
   */
  boolean measuresCollecting() {
    return warmUp.compareTo(gcWindow) >= 0;
  }

  RampScale lasting(Duration other) {
    return new RampScale(name, shapes, passes, preheat, turns, warmUp, other, gcWindow);
  }

  /** With another window, and warm-ups so long that what is measured contains its collecting. */
  RampScale withGcWindow(int seconds) {
    if (seconds < 1 || seconds > 3600) {
      throw new NodeException("--gc-window: " + seconds + " s is outside 1..3600");
    }
    Duration window = Duration.ofSeconds(seconds);
    Duration longer = warmUp.compareTo(window) < 0 ? window : warmUp;
    return new RampScale(name, shapes, passes, preheat, turns, longer, duration, window);
  }

  RampScale withClients(int other) {
    if (other < 1 || other > 1024) {
      throw new NodeException("--clients: " + other + " is outside 1..1024");
    }
    List<Shape> all = shapes.stream().map(shape -> shape.withClients(other)).distinct().toList();
    return new RampScale(name, all, passes, preheat, turns, warmUp, duration, gcWindow);
  }

  /** The kinds of tables. */
  List<Shape.Prepared> tables() {
    return shapes.stream().map(Shape::prepared).distinct().toList();
  }

  /** The cells that run on tables of a kind: shape by shape, in each all systems. */
  List<Cell> cells(Shape.Prepared table, List<String> systems) {
    return shapes.stream()
        .filter(shape -> shape.prepared().equals(table))
        .flatMap(shape -> systems.stream().map(system -> new Cell(system, shape)))
        .filter(cell -> cell.whyLeftOut().isEmpty())
        .toList();
  }

  /** All cells. */
  List<Cell> cells(List<String> systems) {
    return tables().stream().flatMap(table -> cells(table, systems).stream()).toList();
  }
}
