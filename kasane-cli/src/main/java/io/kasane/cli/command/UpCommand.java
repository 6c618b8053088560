/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.ReplicaKinds;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane up}: starts a cluster and leaves it running. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts one or more Cassandra nodes on 127.0.0.1, 127.0.0.2... and waits until CQL answers.",
      "A directory that already holds a cluster is started as it was; its data are kept. --heap and"
          + " --fast-quota may change from start to start. Nodes that run are left alone."
    })
public final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DirOption dir;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes (default: 1, or as many as the directory holds).")
  private Integer nodes;

  @ArgGroup(exclusive = false)
  private Disks disks;

  @Option(
      names = "--fast-quota",
      paramLabel = "SIZE",
      description =
          "Bytes Kasane may use on each fast directory, such as 20GiB or 20g (default: 90%% of"
              + " its disk).")
  private String fastQuota;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "Heap of each node, such as 2GiB or 2g (default: " + NodeSettings.DEFAULT_HEAP + ").")
  private String heap;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description =
          "Keep tables in this storage engine: lmdb, rocksdb, redis or innodb (a server beside"
              + " each node), or lsm for Cassandra's own. A table may name another one: WITH memtable = 'lsm'"
              + " (default: no engines).")
  private String engine;

  @Option(
      names = "--kinds",
      paramLabel = "KINDS",
      description =
          "One kind of node for each replica, such as lsm:5,lmdb,redis: the engine of its tables,"
              + " and how much reads avoid it (4 or more: altogether, while two others answer)."
              + " A kind is a rack. Goes with as many nodes, or a multiple (default: that many).")
  private String kinds;

  @Option(
      names = "--stock",
      description = "Start stock Cassandra: neither Kasane's jars nor its storage hook.")
  private boolean stock;

  /** Two directories that only make sense together. */
  static final class Disks {
    @Option(
        names = "--fast",
        paramLabel = "DIR",
        required = true,
        description = "A directory on the fast disk; node I uses DIR/nodeI. Goes with --slow.")
    private Path fast;

    @Option(
        names = "--slow",
        paramLabel = "DIR",
        required = true,
        description = "A directory on the slow disk; node I uses DIR/nodeI.")
    private Path slow;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Distribution distribution = Distribution.locate();
    requireOneOf();
    Optional<LocalCluster> existing = LocalCluster.open(distribution, dir.path());
    LocalCluster cluster =
        existing.map(this::sameShape).orElseGet(() -> create(distribution)).with(this::adjust);
    existing.ifPresent(as -> requireRunningAs(as, cluster));
    List<LocalNode> missing = cluster.missing();
    if (missing.isEmpty()) {
      out.println("All nodes of " + cluster.dir() + " run already. See 'kasane status'.");
      out.flush();
      return 0;
    }

    Thread stopper = new Thread(() -> missing.forEach(LocalNode::kill9), "stop-unfinished-start");
    Runtime.getRuntime().addShutdownHook(stopper);
    out.printf(
        "Starting %d %snode%s in %s ...%n",
        missing.size(), stock ? "stock " : "", missing.size() == 1 ? "" : "s", cluster.dir());
    out.flush();
    Instant began = Instant.now();
    cluster.startMissing();
    Runtime.getRuntime().removeShutdownHook(stopper);
    Welcome.print(out, cluster, Duration.between(began, Instant.now()), dir.path());
    return 0;
  }

  private void requireOneOf() {
    if (kinds != null && (engine != null || stock)) {
      throw new NodeException(
          "--kinds says which engine each node has: leave --engine and --stock out");
    }
  }

  /** What runs cannot be changed, and one cluster is not to have two kinds of nodes. */
  private void requireRunningAs(LocalCluster recorded, LocalCluster wanted) {
    for (LocalNode node : recorded.nodes()) {
      int index = node.settings().index();
      if (node.isAlive() && !node.settings().equals(wanted.node(index).settings())) {
        throw new NodeException(
            "Node "
                + index
                + " of "
                + dir.path()
                + " runs with other options than these. Give those that it was started with (--stock,"
                + " --heap, --fast-quota, --engine), stop it with 'kasane down', or start another"
                + " cluster with --dir.");
      }
    }
  }

  private LocalCluster sameShape(LocalCluster cluster) {
    if (nodes != null && nodes != cluster.nodes().size()) {
      throw new NodeException(
          "--nodes "
              + nodes
              + ": the cluster in "
              + dir.path()
              + " has "
              + cluster.nodes().size()
              + ", and its ring cannot be cut anew. Leave the option out, or choose another --dir.");
    }
    if (kinds != null) {
      throw new NodeException(
          "--kinds: the cluster in "
              + dir.path()
              + " is there already, and a node's rack stays what it was. Leave the option out, or"
              + " choose another --dir.");
    }
    if (disks != null) {
      NodeSettings first = cluster.node(1).settings();
      requireSame("--fast", disks.fast, first.fast());
      requireSame("--slow", disks.slow, first.slow());
    }
    return cluster;
  }

  private void requireSame(String option, Path wanted, Path recorded) {
    Path resolved = wanted.toAbsolutePath().normalize().resolve("node1");
    if (!resolved.equals(recorded)) {
      throw new NodeException(
          option
              + " "
              + wanted
              + ": node 1 of the cluster in "
              + dir.path()
              + " keeps its data in "
              + recorded
              + ". Leave the option out, or choose another --dir.");
    }
  }

  private LocalCluster create(Distribution distribution) {
    Optional<ReplicaKinds> all = Optional.ofNullable(kinds).map(ReplicaKinds::parse);
    int count = nodes == null ? all.map(ReplicaKinds::size).orElse(1) : nodes;
    all.ifPresent(of -> requireMultiple(count, of.size()));
    LocalCluster.Builder builder = LocalCluster.builder(distribution, dir.path()).nodes(count);
    all.ifPresent(of -> builder.each(of::apply));
    if (disks != null) {
      builder.fast(disks.fast).slow(disks.slow);
    }
    return builder.build();
  }

  /** Else some nodes of a rack would have twice as many rows as others. */
  private static void requireMultiple(int nodes, int kinds) {
    if (nodes % kinds != 0) {
      throw new NodeException(
          "--nodes "
              + nodes
              + ": is no multiple of "
              + kinds
              + ", the number of --kinds, so rows would not spread evenly");
    }
  }

  private void adjust(NodeSettings.Builder settings) {
    settings.withKasane(!stock);
    if (engine != null) {
      settings.engine(engine);
    }
    if (heap != null) {
      sizeOf("--heap", () -> settings.heap(ByteSize.parse(heap).jvm()));
    }
    if (fastQuota != null) {
      sizeOf("--fast-quota", () -> settings.fastQuota(ByteSize.parse(fastQuota)));
    }
  }

  /** Runs what takes the size that an option has, and names the option if it is no such size. */
  private static void sizeOf(String option, Runnable taken) {
    try {
      taken.run();
    } catch (IllegalArgumentException e) {
      throw new NodeException(option + ": " + e.getMessage(), e);
    }
  }
}
