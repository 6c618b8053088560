/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Goes through all keys now and then, and clears what dead clients left; some runs die, too. */
final class Clearing {
  /** Longer than a hint is kept, and what is under way takes. */
  private static final Duration STORE_DELAY = Duration.ofSeconds(1);

  private static final long SECOND = 1_000_000;
  private static final int RUNS = 8;

  private final World world;
  private final List<Leftovers> runs = new ArrayList<>();

  Clearing(World world) {
    this.world = world;
  }

  /** Plans runs while clients are at work, and while they rest. */
  void plan() {
    for (long rest = 0; rest < 4; rest++) {
      for (int run = 0; run < RUNS; run++) {
        long begin = rest * 60 * SECOND;
        world.loop().after(begin + world.chance().between(0, SECOND), this::run);
        world.loop().after(begin + world.chance().between(SECOND, 60 * SECOND), this::run);
      }
    }
  }

  /** What all runs did. */
  LeftoverCounts counts() {
    return runs.stream().map(Leftovers::counts).reduce(Clearing::sum).orElse(none());
  }

  static LeftoverCounts none() {
    return new LeftoverCounts(0, 0, 0, 0, 0, 0, 0, Optional.empty());
  }

  static LeftoverCounts sum(LeftoverCounts one, LeftoverCounts other) {
    return new LeftoverCounts(
        one.collected() + other.collected(),
        one.purged() + other.purged(),
        one.completed() + other.completed(),
        one.dropped() + other.dropped(),
        one.young() + other.young(),
        one.uncertain() + other.uncertain(),
        one.failed() + other.failed(),
        one.firstFailure());
  }

  private void run() {
    SimClient client = new SimClient(world, "clearer" + runs.size());
    if (world.chance().happens(0.1)) {
      client.link().dieAfter(world.chance().below(30));
    }
    Leftovers leftovers = client.ramp().leftovers(STORE_DELAY);
    runs.add(leftovers);
    CompletionStage<Void> unused =
        inTurn(key -> leftovers.prepared(key, prepared(key)))
            .thenCompose(
                done ->
                    inTurn(
                        key ->
                            committed(key)
                                .map(version -> leftovers.committed(key, version))
                                .orElse(CompletableFuture.completedFuture(null))));
  }

  private CompletionStage<Void> inTurn(Function<ItemKey, CompletionStage<Void>> each) {
    CompletionStage<Void> done = CompletableFuture.completedFuture(null);
    for (ItemKey key : world.workload().universe()) {
      done = done.thenCompose(nothing -> each.apply(key));
    }
    return done;
  }

  private Set<Timestamp> prepared(ItemKey key) {
    Set<Timestamp> all = new TreeSet<>();
    world.cluster().nodes().forEach(node -> all.addAll(node.rows(key).preparedTimestamps()));
    return all;
  }

  /** At any replica: it is looked at again before anything is done. */
  private Optional<Version> committed(ItemKey key) {
    return Optional.ofNullable(world.chance().oneOf(world.cluster().nodes()).rows(key).committed());
  }
}
