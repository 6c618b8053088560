/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.bench.lab.Heap;
import io.kasane.node.NodeException;
import java.time.Duration;

/**
 * How large the experiment is. Streams whose hot set moves have fewer keys and more accesses: heat
 * is halved every so many accesses per key, and at least one halving must fit between two moves.
 *
 * @param keys of streams that stay as they are
 * @param accesses of these
 * @param movingKeys of streams whose hot set moves
 * @param movingAccesses of these
 * @param perStep a guess how long all policies take for a source and a budget
 */
record HeatScale(
    String name, int keys, int accesses, int movingKeys, int movingAccesses, Duration perStep) {
  private static final long EXACT_COUNT_BYTES_PER_KEY = 120;

  /** The ids, and a copy while keys are moved. */
  private static final long TRACE_BYTES_PER_ACCESS = 12;

  static HeatScale named(String name) {
    return switch (name) {
      case "smoke" ->
          new HeatScale(name, 100_000, 1_000_000, 20_000, 4_000_000, Duration.ofSeconds(3));
      case "small" ->
          new HeatScale(name, 1_000_000, 5_000_000, 200_000, 8_000_000, Duration.ofSeconds(25));
      case "paper" ->
          new HeatScale(
              name, 25_000_000, 125_000_000, 5_000_000, 200_000_000, Duration.ofMinutes(20));
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small, paper");
    };
  }

  /** Refuses what this process cannot hold. */
  void requireMemory() {
    long bytes =
        Math.max(
            EXACT_COUNT_BYTES_PER_KEY * keys + TRACE_BYTES_PER_ACCESS * accesses,
            EXACT_COUNT_BYTES_PER_KEY * movingKeys + TRACE_BYTES_PER_ACCESS * movingAccesses);
    Heap.require("heat", name, "counting the accesses of " + keys + " keys exactly", bytes);
  }
}
