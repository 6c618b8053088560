/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.node.NodeException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How large the experiment is.
 *
 * @param shapes what is run
 * @param turns how many times contestants take turns in each shape
 * @param warmUp of each turn, not measured
 * @param duration of each turn
 */
record RdmaScale(String name, List<Shape> shapes, int turns, Duration warmUp, Duration duration) {
  /** The microbenchmark's: the paper does not say how large its items were. */
  private static final Shape MICRO = new Shape(10_000, 100, 1, 8, 0.95);

  /** YCSB's, with the paper's numbers. */
  private static final Shape YCSB = new Shape(1_000, 1_000, 1, 4, 1);

  private static final List<Double> READ_SHARES = List.of(0.0, 0.25, 0.5, 0.75, 1.0);
  private static final List<Double> ARENA_SHARES = List.of(0.1, 0.25, 0.5);
  private static final int MAX_SIZE = 128;

  static RdmaScale named(String name) {
    return switch (name) {
      case "smoke" -> new RdmaScale(name, smoke(), 2, Duration.ofSeconds(1), Duration.ofSeconds(2));
      case "small" -> new RdmaScale(name, all(), 3, Duration.ofSeconds(1), Duration.ofSeconds(2));
      case "paper" -> new RdmaScale(name, all(), 5, Duration.ofSeconds(5), Duration.ofSeconds(20));
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small, paper");
    };
  }

  private static List<Shape> smoke() {
    return List.of(
        MICRO.withSize(4),
        MICRO,
        MICRO.withReadShare(1),
        MICRO.withReadShare(0),
        YCSB,
        YCSB.withReadShare(0.5));
  }

  private static List<Shape> all() {
    Set<Shape> shapes = new LinkedHashSet<>();
    for (int size = 1; size <= MAX_SIZE; size *= 2) {
      shapes.add(MICRO.withSize(size));
    }
    READ_SHARES.forEach(share -> shapes.add(MICRO.withReadShare(share)));
    READ_SHARES.forEach(share -> shapes.add(YCSB.withReadShare(share)));
    ARENA_SHARES.forEach(share -> shapes.add(YCSB.withReadShare(0.95).withArenaShare(share)));
    return List.copyOf(shapes);
  }

  /** What is run to find how many clients are best: as most cells of the kind are. */
  static Shape pilot(Shape.Kind kind) {
    return new Shape(
        kind.keys(), kind.valueBytes(), kind.arenaShare(), YCSB.size(), MICRO.readShare());
  }

  static Shape micro() {
    return MICRO;
  }

  static Shape ycsb() {
    return YCSB;
  }

  static int maxSize() {
    return MAX_SIZE;
  }

  RdmaScale lasting(Duration other) {
    return new RdmaScale(name, shapes, turns, warmUp, other);
  }
}
