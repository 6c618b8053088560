/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.ItemKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plans what goes wrong in a schedule, and puts it right again when faults end. */
final class Faults {
  private final World world;
  private final Chance chance;
  private final Cluster cluster;
  private final Map<Node, Map<ItemKey, ItemRows>> backups = new HashMap<>();

  /** Ranges are at different replicas: what befalls the one befalls some keys, not all. */
  private final Set<ItemKey> weakKeys = new HashSet<>();

  Faults(World world) {
    this.world = world;
    this.chance = world.chance();
    this.cluster = world.cluster();
    for (ItemKey key : world.workload().universe()) {
      if (chance.happens(0.5)) {
        weakKeys.add(key);
      }
    }
  }

  /** Draws faults within so many microseconds from now. */
  void plan(long spanMicros, List<SimClient> clients) {
    for (int i = 0; i < world.climate().nodeFaults(); i++) {
      Node node = chance.oneOf(cluster.nodes());
      long at = chance.between(0, spanMicros);
      int kind = chance.below(4) + (world.climate().stale() && chance.happens(0.8) ? 4 : 0);
      world
          .loop()
          .after(
              at,
              () -> {
                if (!cluster.network().isHealed()) {
                  run(kind, node);
                }
              });
    }
    if (world.climate().skewMicros() > 0) {
      SimClient client = chance.oneOf(clients);
      world.loop().after(chance.between(0, spanMicros), client::jumpClock);
    }
  }

  private void run(int kind, Node node) {
    switch (kind) {
      case 0, 1 -> crash(node);
      case 2 -> cutOff(node);
      case 3 -> repairPair(node, chance.oneOf(cluster.nodes()));
      case 4, 5 -> restore(node);
      default -> replace(node);
    }
  }

  private void crash(Node node) {
    if (chance.happens(0.5)) {
      world.say(() -> node + " crashes");
      node.crash();
    } else {
      int messages = chance.below(8);
      world.say(() -> node + " crashes after " + messages + " messages");
      node.crashAfter(messages);
    }
    world
        .loop()
        .after(
            chance.between(4_000, 60_000),
            () -> {
              world.say(() -> node + " starts");
              node.start();
            });
  }

  private void cutOff(Node node) {
    boolean byCentre = world.climate().topology().centres() > 1 && chance.happens(0.5);
    List<Node> others = new ArrayList<>();
    for (Node other : cluster.nodes()) {
      if (other != node && (byCentre ? other.centre != node.centre : chance.happens(0.7))) {
        others.add(other);
      }
    }
    world.say(() -> node + " is cut off from " + others);
    others.forEach(other -> cluster.network().setCut(node.id, other.id, true));
    world
        .loop()
        .after(
            chance.between(4_000, 60_000),
            () -> others.forEach(other -> cluster.network().setCut(node.id, other.id, false)));
  }

  /** Anti-entropy between two replicas: each gets what the other has, in one go. */
  void repairPair(Node one, Node other) {
    if (one == other || !one.isUp() || !other.isUp() || cluster.network().isCut(one, other)) {
      return;
    }
    world.say(() -> one + " and " + other + " are repaired");
    Map<ItemKey, ItemRows> ofOne = one.copyOfRows();
    Map<ItemKey, ItemRows> ofOther = other.copyOfRows();
    long delay = cluster.network().delayMicros();
    world
        .loop()
        .after(
            delay,
            () -> {
              apply(one, ofOther);
              apply(other, ofOne);
            });
  }

  private static void apply(Node node, Map<ItemKey, ItemRows> rows) {
    if (node.isUp()) {
      node.stream(rows);
    }
  }

  /** The first time a snapshot is taken, the second time it is restored. */
  private void restore(Node node) {
    Map<ItemKey, ItemRows> backup = backups.remove(node);
    if (backup == null) {
      world.say(() -> "a snapshot of " + node + " is taken");
      backups.put(node, node.copyOfRows());
      world.loop().after(chance.between(5_000, 60_000), () -> restoreIfTaken(node));
    } else {
      world.say(() -> node + " is restored from an older snapshot");
      node.restore(weakKeys, backup);
    }
  }

  private void restoreIfTaken(Node node) {
    if (backups.containsKey(node) && !cluster.network().isHealed()) {
      restore(node);
    }
  }

  /** A new node takes its place, and gets what one of the others has, be that too little. */
  private void replace(Node node) {
    Node source = chance.oneOf(cluster.nodes());
    if (source != node && source.isUp()) {
      world.say(() -> node + " is replaced from " + source);
      node.restore(weakKeys, source.copyOfRows());
    }
  }

  /** From now on all replicas are up and all messages arrive. */
  void end() {
    world.say(() -> "faults end");
    cluster.network().heal();
    cluster.nodes().forEach(Node::start);
    backups.clear();
  }

  /** A full repair of all replicas; behind it they need no tombstones. */
  void repairAll(boolean dropTombstones) {
    world.say(() -> "all replicas are repaired");
    Set<ItemKey> keys = new HashSet<>();
    cluster.nodes().forEach(node -> keys.addAll(node.keys()));
    Map<ItemKey, ItemRows> everything = new HashMap<>();
    for (ItemKey key : keys) {
      ItemRows all = ItemRows.EMPTY;
      for (Node node : cluster.nodes()) {
        all = all.merge(node.rows(key));
      }
      everything.put(key, all);
    }
    cluster.nodes().forEach(node -> node.stream(everything));
    if (dropTombstones) {
      cluster.nodes().forEach(Node::dropTombstones);
    }
  }
}
