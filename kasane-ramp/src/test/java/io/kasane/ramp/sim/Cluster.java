/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.store.Strength;
import io.kasane.ramp.version.ItemKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Replicas and their coordinators, as Cassandra has them: any node coordinates, writes go to all
 * replicas and are done when enough of them acknowledged, reads go to as many replicas as the level
 * asks for, whose answers are merged, and repaired where they differ before the answer is given.
 */
final class Cluster {
  /** How many replicas of each data centre must acknowledge a write. */
  enum WriteLevel {
    EACH_QUORUM,
    LOCAL_QUORUM,
    ONE
  }

  private static final long HINT_WINDOW_MICROS = 500_000;

  private final EventLoop loop;
  private final Chance chance;
  private final Climate climate;
  private final Network network;
  private final Trace trace;
  private final List<Node> nodes = new ArrayList<>();
  private int hintsUnderway;
  private boolean firstRoundAtQuorum;
  private boolean firstRoundOnlyAtQuorum;
  private boolean hasArenas;

  Cluster(EventLoop loop, Chance chance, Climate climate, Trace trace) {
    this.loop = loop;
    this.chance = chance;
    this.climate = climate;
    this.trace = trace;
    this.firstRoundAtQuorum = climate.firstRoundAtQuorum();
    this.network = new Network(loop, chance, climate);
    for (int id = 0; id < climate.topology().nodes(); id++) {
      nodes.add(new Node(id, climate.topology().centreOf(id), climate, loop));
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  Network network() {
    return network;
  }

  Climate climate() {
    return climate;
  }

  /** Gives each node an arena, and holds what it shows against what the node has told. */
  void openArenas(List<String> findings) {
    nodes.forEach(node -> node.open(new NodeArena(node, loop, chance, climate, findings)));
    hasArenas = true;
  }

  boolean hasArenas() {
    return hasArenas;
  }

  /** The arena of the node on the client's host, where it may be read. */
  Optional<NodeArena> arenaFor(ClientLink client) {
    if (!hasArenas || firstRoundOnlyAtQuorum) {
      return Optional.empty();
    }
    List<Node> local = nodes.stream().filter(node -> node.centre == client.centre).toList();
    return local.get(Math.floorMod(client.name.hashCode(), local.size())).arena();
  }

  /** From now on the first round reads quorums, and no arena. */
  void readFromQuorums() {
    firstRoundAtQuorum = true;
    firstRoundOnlyAtQuorum = true;
  }

  /** Whether mutations of long ago may still arrive. */
  boolean isUnderway() {
    return hintsUnderway > 0;
  }

  /** Drivers prefer nodes that they believe to be up, of their own data centre. */
  private Node coordinatorFor(ClientLink client) {
    List<Node> local = new ArrayList<>();
    for (Node node : nodes) {
      if (node.centre == client.centre && node.seemsUp()) {
        local.add(node);
      }
    }
    return local.isEmpty() ? chance.oneOf(nodes) : chance.oneOf(local);
  }

  /**
   * Writes to all replicas.
   *
   * @param deltas mutations, each applied whole at a replica, one after the other
   * @param done with null, or with the reason why it failed; never where nobody answers
   */
  void write(
      ClientLink client,
      ItemKey key,
      List<ItemRows> deltas,
      WriteLevel level,
      Consumer<String> done) {
    Node coordinator = coordinatorFor(client);
    network.send(
        client, coordinator, () -> coordinateWrite(client, coordinator, key, deltas, level, done));
  }

  private void coordinateWrite(
      ClientLink client,
      Node coordinator,
      ItemKey key,
      List<ItemRows> deltas,
      WriteLevel level,
      Consumer<String> done) {
    Acknowledgements acks = new Acknowledgements(climate.topology(), level, coordinator.centre);
    if (!acks.canBeMetBy(nodes)) {
      network.send(coordinator, client, () -> done.accept("too few replicas are up"));
      return;
    }
    int incarnation = coordinator.incarnation();
    for (ItemRows delta : deltas) {
      boolean last = delta == deltas.get(deltas.size() - 1);
      for (Node replica : nodes) {
        boolean dropped = replica != coordinator && network.drops();
        if (dropped || !replica.seemsUp()) {
          hint(replica, key, delta);
          continue;
        }
        network.send(
            coordinator,
            replica,
            () -> {
              apply(
                  replica,
                  key,
                  delta,
                  () ->
                      network.send(
                          replica,
                          coordinator,
                          () -> {
                            if (last
                                && coordinator.incarnation() == incarnation
                                && acks.add(replica)) {
                              network.send(coordinator, client, () -> done.accept(null));
                            }
                          },
                          () -> {}));
            },
            () -> hint(replica, key, delta));
      }
    }
  }

  private void apply(Node replica, ItemKey key, ItemRows delta, Runnable told) {
    trace.add(loop, () -> replica + " applies to " + key + ": " + delta);
    if (network.isDuplicated()) {
      hintsUnderway++;
      loop.after(
          chance.between(1_000, climate.hintMicros()),
          () -> {
            hintsUnderway--;
            if (replica.isUp()) {
              replica.apply(key, delta);
            }
          });
    }
    replica.apply(key, delta, told);
  }

  private void hint(Node replica, ItemKey key, ItemRows delta) {
    if (chance.happens(climate.hints())) {
      hintsUnderway++;
      deliverHint(replica, key, delta, loop.nowMicros() + HINT_WINDOW_MICROS);
    }
  }

  private void deliverHint(Node replica, ItemKey key, ItemRows delta, long until) {
    loop.after(
        chance.between(1_000, climate.hintMicros()),
        () -> {
          if (replica.isUp()) {
            hintsUnderway--;
            replica.apply(key, delta);
            trace.add(loop, () -> replica + " gets a hint for " + key + ": " + delta);
          } else if (loop.nowMicros() < until) {
            deliverHint(replica, key, delta, until);
          } else {
            hintsUnderway--;
          }
        });
  }

  /**
   * Reads from as many replicas as the strength asks for.
   *
   * @param look what a replica answers with, at one moment
   * @param done with what all replicas' answers come to, or with the reason why there is none
   */
  void read(
      ClientLink client,
      Function<Node, Map<ItemKey, ItemRows>> look,
      Strength strength,
      BiConsumer<Map<ItemKey, ItemRows>, String> done) {
    Node coordinator = coordinatorFor(client);
    network.send(
        client, coordinator, () -> coordinateRead(client, coordinator, look, strength, done));
  }

  private void coordinateRead(
      ClientLink client,
      Node coordinator,
      Function<Node, Map<ItemKey, ItemRows>> look,
      Strength strength,
      BiConsumer<Map<ItemKey, ItemRows>, String> done) {
    List<Node> asked = replicasFor(coordinator, strength);
    if (asked.isEmpty()) {
      network.send(coordinator, client, () -> done.accept(null, "too few replicas are up"));
      return;
    }
    boolean repairs =
        climate.keeps(StoreRule.READ_REPAIR)
            && (strength != Strength.FIRST_ROUND || firstRoundAtQuorum);
    ReplicaAnswers answers = new ReplicaAnswers(asked.size());
    int incarnation = coordinator.incarnation();
    for (Node replica : asked) {
      network.send(
          coordinator,
          replica,
          () -> {
            Map<ItemKey, ItemRows> seen = look.apply(replica);
            network.send(
                replica,
                coordinator,
                () -> {
                  if (coordinator.incarnation() == incarnation && answers.add(replica, seen)) {
                    repair(
                        coordinator,
                        repairs ? answers.differences() : List.of(),
                        () ->
                            network.send(
                                coordinator, client, () -> done.accept(answers.merged(), null)));
                  }
                },
                () -> {});
          },
          () -> {});
    }
  }

  /** Read repair that blocks: the answer waits until all who answered have what it says. */
  private void repair(Node coordinator, List<ReplicaAnswers.Difference> missing, Runnable then) {
    Set<ReplicaAnswers.Difference> open = new HashSet<>(missing);
    if (open.isEmpty()) {
      then.run();
      return;
    }
    int incarnation = coordinator.incarnation();
    for (ReplicaAnswers.Difference difference : missing) {
      Node replica = difference.replica();
      network.send(
          coordinator,
          replica,
          () -> {
            trace.add(loop, () -> replica + " is repaired: " + difference.rows());
            replica.applyAll(
                difference.rows(),
                () ->
                    network.send(
                        replica,
                        coordinator,
                        () -> {
                          if (coordinator.incarnation() == incarnation
                              && open.remove(difference)
                              && open.isEmpty()) {
                            then.run();
                          }
                        },
                        () -> {}));
          },
          () -> {});
    }
  }

  /** Those that a read asks, none where too few seem to be up. */
  private List<Node> replicasFor(Node coordinator, Strength strength) {
    boolean all = strength == Strength.ALL;
    List<Node> candidates = new ArrayList<>();
    for (Node node : nodes) {
      if (all || (node.centre == coordinator.centre && node.seemsUp())) {
        candidates.add(node);
      }
    }
    int needed =
        all
            ? nodes.size()
            : strength == Strength.FIRST_ROUND && !firstRoundAtQuorum
                ? 1
                : climate.topology().quorum();
    if (candidates.size() < needed || (all && !allSeemUp())) {
      return List.of();
    }
    while (candidates.size() > needed) {
      candidates.remove(chance.below(candidates.size()));
    }
    return candidates;
  }

  private boolean allSeemUp() {
    for (Node node : nodes) {
      if (!node.seemsUp()) {
        return false;
      }
    }
    return true;
  }
}
