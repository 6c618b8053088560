/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One to many local nodes that form a ring, under one directory.
 *
 * <p>Closing a cluster stops its nodes; their data stay. {@link #open} finds a cluster that an
 * earlier process started.
 */
public final class LocalCluster implements AutoCloseable {
  private final Distribution distribution;
  private final Path dir;
  private final List<LocalNode> nodes;
  private final Optional<NetworkClaim> claim;
  private final boolean isBuilt;

  /**
   * A cluster.
   *
   * @param claim on the network that the nodes are in, there for as long as somebody knows it
   * @param isBuilt whether the claim is this one's to give back
   */
  private LocalCluster(
      Distribution distribution,
      Path dir,
      List<LocalNode> nodes,
      Optional<NetworkClaim> claim,
      boolean isBuilt) {
    this.distribution = distribution;
    this.dir = dir;
    this.nodes = List.copyOf(nodes);
    this.claim = claim;
    this.isBuilt = isBuilt;
  }

  /** Starts the description of a cluster whose files lie under the given directory. */
  public static Builder builder(Distribution distribution, Path dir) {
    return new Builder(distribution, dir.toAbsolutePath().normalize());
  }

  /** Finds the cluster that was once started in the directory, if any. */
  public static Optional<LocalCluster> open(Distribution distribution, Path dir) {
    Path absolute = dir.toAbsolutePath().normalize();
    return ClusterFile.read(absolute)
        .map(
            all ->
                new LocalCluster(
                    distribution,
                    absolute,
                    all.stream().map(one -> new LocalNode(distribution, one)).toList(),
                    Optional.empty(),
                    false));
  }

  /** Returns the directory of the cluster. */
  public Path dir() {
    return dir;
  }

  /** Returns the nodes, first to last. */
  public List<LocalNode> nodes() {
    return nodes;
  }

  /** Returns one node; the first has number 1. */
  public LocalNode node(int number) {
    if (number < 1 || number > nodes.size()) {
      throw new NodeException(
          "node: " + number + " is outside 1.." + nodes.size() + ", the nodes of " + dir);
    }
    return nodes.get(number - 1);
  }

  /**
   * Returns the same cluster (same directories) with every node's settings changed. To close it
   * stops the nodes; their addresses stay this one's, which may be started again.
   */
  public LocalCluster with(Consumer<NodeSettings.Builder> change) {
    return new LocalCluster(
        distribution, dir, nodes.stream().map(node -> node.with(change)).toList(), claim, false);
  }

  /** Starts every node and waits until each serves and sees all others. */
  public LocalCluster start() {
    return start(LocalNode.READY_TIMEOUT);
  }

  /** Starts every node and waits until each serves and sees all others. */
  public LocalCluster start(Duration timeout) {
    return start(timeout, process -> {});
  }

  /**
   * Starts every node and waits until each serves and sees all others.
   *
   * @param began told of each node's process as soon as there is one
   */
  public LocalCluster start(Consumer<ProcessHandle> began) {
    return start(LocalNode.READY_TIMEOUT, began);
  }

  private LocalCluster start(Duration timeout, Consumer<ProcessHandle> began) {
    return start(nodes, timeout, began);
  }

  /**
   * Starts the nodes that do not run, and waits until each serves and sees all others. Those that
   * run are left alone, and must have these settings already.
   */
  public LocalCluster startMissing() {
    return start(missing(), LocalNode.READY_TIMEOUT, process -> {});
  }

  /** Returns the nodes that do not run. */
  public List<LocalNode> missing() {
    return nodes.stream().filter(node -> !node.isAlive()).toList();
  }

  private LocalCluster start(
      List<LocalNode> some, Duration timeout, Consumer<ProcessHandle> began) {
    // Before anything is begun: a failure from here on stops the nodes, and must be theirs.
    some.forEach(LocalNode::requireStartable);
    ClusterFile.write(dir, nodes.stream().map(LocalNode::settings).toList());
    try {
      boolean isFirst = some.size() == nodes.size();
      for (LocalNode node : some) {
        begin(node, began);
        if (isFirst) {
          // Alone: a ring needs one member before others can join it.
          node.waitUntilReady(timeout);
          isFirst = false;
        }
      }
      some.forEach(node -> node.waitUntilReady(timeout));
      nodes.forEach(node -> node.waitUntilReady(timeout));
      waitUntilAllSeeAll(timeout);
      return this;
    } catch (RuntimeException e) {
      stopAfterFailure(some, e);
      throw e;
    }
  }

  private static LocalNode begin(LocalNode node, Consumer<ProcessHandle> began) {
    node.start().process().ifPresent(began);
    return node;
  }

  private static void stopAfterFailure(List<LocalNode> begun, RuntimeException failure) {
    try {
      begun.forEach(LocalNode::kill9);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Waits until each node sees all others, which a restarted node may not when it already serves:
   * till then it answers that too few replicas are alive.
   */
  public LocalCluster waitUntilAllSeeAll() {
    waitUntilAllSeeAll(LocalNode.READY_TIMEOUT);
    return this;
  }

  private void waitUntilAllSeeAll(Duration timeout) {
    Instant deadline = Instant.now().plus(timeout);
    for (LocalNode node : nodes) {
      int live = liveNodes(node);
      while (live < nodes.size()) {
        if (Instant.now().isAfter(deadline)) {
          throw new NodeException(
              node
                  + " sees "
                  + live
                  + " of "
                  + nodes.size()
                  + " nodes alive after "
                  + timeout.toSeconds()
                  + " s. See "
                  + node.log().path());
        }
        LocalNode.pause();
        live = liveNodes(node);
      }
    }
  }

  private static int liveNodes(LocalNode node) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.liveNodes();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Opens a driver session with the first running node as contact point. */
  public CqlSession connect() {
    return nodes.stream().filter(LocalNode::isAlive).findFirst().orElse(nodes.get(0)).connect();
  }

  /** Returns what can be seen of each node from outside. */
  public List<NodeStatus> status() {
    return nodes.stream().map(LocalNode::status).toList();
  }

  /** Stops every node in an orderly way, all at once. */
  public void stop() {
    nodes.forEach(node -> node.process().ifPresent(ProcessHandle::destroy));
    List<RuntimeException> failures = new ArrayList<>();
    for (LocalNode node : nodes) {
      try {
        node.stop();
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.get(0);
      failures.subList(1, failures.size()).forEach(first::addSuppressed);
      throw first;
    }
  }

  /** Kills every node as a power cut would. */
  public void kill9() {
    nodes.forEach(LocalNode::kill9);
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      if (isBuilt) {
        claim.ifPresent(NetworkClaim::close);
      }
    }
  }

  /** Collects what the nodes have in common; each gets its own directories, address and ports. */
  public static final class Builder {
    private final Distribution distribution;
    private final Path dir;
    private int nodes = 1;
    private String network = NodeSettings.DEFAULT_NETWORK;
    private List<Integer> jmxPorts = List.of();
    private Optional<Path> fast = Optional.empty();
    private Optional<Path> slow = Optional.empty();
    private boolean isolated;
    private final List<BiConsumer<Integer, NodeSettings.Builder>> changes = new ArrayList<>();

    private Builder(Distribution distribution, Path dir) {
      this.distribution = distribution;
      this.dir = dir;
    }

    /** Sets how many nodes there are. */
    public Builder nodes(int nodes) {
      this.nodes = nodes;
      return this;
    }

    /** Puts the fast directories under this one: {@code fast/node1}, {@code fast/node2}... */
    public Builder fast(Path directory) {
      this.fast = Optional.of(directory);
      return this;
    }

    /** Puts the slow directories under this one: {@code slow/node1}, {@code slow/node2}... */
    public Builder slow(Path directory) {
      this.slow = Optional.of(directory);
      return this;
    }

    /**
     * Uses addresses nobody else gets until the cluster is closed, and ports nobody else uses now,
     * so that tests run beside a cluster.
     */
    public Builder isolated() {
      this.isolated = true;
      return this;
    }

    /** Changes the settings of every node; called once for each, after its place is set. */
    public Builder each(Consumer<NodeSettings.Builder> change) {
      return each((index, settings) -> change.accept(settings));
    }

    /** The same, told the node's number, from 1. */
    public Builder each(BiConsumer<Integer, NodeSettings.Builder> change) {
      this.changes.add(change);
      return this;
    }

    /** Returns the cluster, not yet started. */
    public LocalCluster build() {
      if (nodes < 1) {
        throw new NodeException("nodes: " + nodes + " is not at least 1");
      }
      Optional<NetworkClaim> claim =
          isolated ? Optional.of(NetworkClaim.of(nodes)) : Optional.empty();
      if (isolated) {
        jmxPorts = Ports.freeLoopbackPorts(nodes);
      }
      claim.ifPresent(claimed -> network = claimed.network());
      List<LocalNode> all = new ArrayList<>();
      for (int i = 1; i <= nodes; i++) {
        all.add(new LocalNode(distribution, settings(i)));
      }
      return new LocalCluster(distribution, dir, all, claim, true);
    }

    private NodeSettings settings(int index) {
      String name = "node" + index;
      NodeSettings.Builder builder =
          NodeSettings.builder(dir.resolve(name)).place(index, nodes).network(network);
      fast.ifPresent(directory -> builder.fast(directory.resolve(name)));
      slow.ifPresent(directory -> builder.slow(directory.resolve(name)));
      if (!jmxPorts.isEmpty()) {
        builder.jmxPort(jmxPorts.get(index - 1));
      }
      changes.forEach(change -> change.accept(index, builder));
      return builder.build();
    }
  }
}
