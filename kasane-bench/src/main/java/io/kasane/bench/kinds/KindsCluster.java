/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.kasane.bench.load.Loader;
import io.kasane.bench.load.Table;
import io.kasane.driver.KindsLoadBalancingPolicy;
import io.kasane.driver.KindsOption;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.node.ReplicaKinds;
import io.kasane.node.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The fresh nodes of one system, with the table. */
final class KindsCluster implements AutoCloseable {
  private static final String METRICS = "org.apache.cassandra.metrics:type=";
  private static final String LOCAL_READS =
      METRICS + "Table,keyspace=" + Table.KEYSPACE + ",scope=" + Table.NAME + ",name=ReadLatency";
  private static final String MUTATIONS =
      METRICS + "ThreadPools,path=request,scope=MutationStage,name=";
  private static final String COMPACTIONS = METRICS + "Compaction,name=PendingTasks";
  private static final Duration MAX_SETTLING = Duration.ofMinutes(5);
  private static final int POLL_MILLIS = 500;
  private static final int QUIET_POLLS = 3;

  private final KindsSystem system;
  private final LocalCluster cluster;
  private final CqlSession session;
  private final Map<LocalNode, NodeJmx> jmx = new LinkedHashMap<>();

  private KindsCluster(KindsSystem system, LocalCluster cluster) throws IOException {
    this.system = system;
    this.cluster = cluster;
    this.session = connect(system, cluster);
    for (LocalNode node : cluster.nodes()) {
      jmx.put(node, node.jmx());
    }
  }

  private static CqlSession connect(KindsSystem system, LocalCluster cluster) {
    NodeSettings first = cluster.node(1).settings();
    return system
        .unaskedRack()
        .map(
            rack ->
                Sessions.open(
                    first.address(),
                    first.nativePort(),
                    config ->
                        config
                            .withClass(
                                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                                KindsLoadBalancingPolicy.class)
                            .withStringList(KindsOption.AVOIDED_RACKS, List.of(rack))))
        .orElseGet(cluster::connect);
  }

  /** Starts nodes without rows; their files lie below the directory. */
  static KindsCluster start(
      Distribution distribution, Path directory, KindsSystem system, KindsScale scale)
      throws IOException {
    ReplicaKinds kinds = ReplicaKinds.parse(system.kinds());
    LocalCluster cluster =
        LocalCluster.builder(distribution, directory)
            .isolated()
            .nodes(system.nodes())
            .each(settings -> configure(settings, scale))
            .each((number, settings) -> apply(system, kinds, scale, number, settings))
            .each(settings -> addThrough(settings, system))
            .build();
    try {
      cluster.start();
      return new KindsCluster(system, cluster);
    } catch (IOException | RuntimeException e) {
      cluster.kill9();
      throw e;
    }
  }

  /** Stock nodes must not have a name of Kasane's in their settings. */
  private static void apply(
      KindsSystem system,
      ReplicaKinds kinds,
      KindsScale scale,
      int number,
      NodeSettings.Builder settings) {
    system
        .media()
        .ifPresentOrElse(
            media -> media.apply(number, settings, scale), () -> kinds.apply(number, settings));
  }

  private static void configure(NodeSettings.Builder node, KindsScale scale) {
    node.heap("1g")
        .yaml("memtable_heap_space", 2 * scale.memtableMib() + "MiB")
        .yaml("memtable_offheap_space", 2 * scale.memtableMib() + "MiB")
        .yaml("memtable_cleanup_threshold", 0.5)
        .yaml("compaction_throughput", "0MiB/s");
  }

  private static void addThrough(NodeSettings.Builder node, KindsSystem system) {
    if (system.isThrough()) {
      node.jvmFlag("-Dkasane.engine_through=true");
      Map<?, ?> memtable = (Map<?, ?>) node.build().yaml().get("memtable");
      Map<Object, Object> names = new LinkedHashMap<>((Map<?, ?>) memtable.get("configurations"));
      Map<?, ?> flushed = (Map<?, ?>) names.get(system.kinds());
      names.put(
          system.label(),
          Map.of(
              "class_name",
              flushed.get("class_name"),
              "parameters",
              Map.of("engine", system.kinds(), "mode", "through")));
      node.yaml("memtable", Map.of("configurations", names));
    }
  }

  CqlSession session() {
    return session;
  }

  ConsistencyLevel consistency() {
    return system.isCluster() ? DefaultConsistencyLevel.QUORUM : DefaultConsistencyLevel.ONE;
  }

  /** Returns how many replicas are to answer when rows are read again: all that are up. */
  ConsistencyLevel verification() {
    return jmx.size() < system.nodes()
        ? DefaultConsistencyLevel.QUORUM
        : DefaultConsistencyLevel.ALL;
  }

  /** Writes all rows to all replicas, and ends with none of them in a memtable. */
  void load(int rows, Consumer<String> progress) throws IOException, InterruptedException {
    session.execute(
        "CREATE KEYSPACE "
            + Table.KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
            + system.nodes()
            + "}");
    session.execute(Table.create());
    if (system.media().isPresent()) {
      for (Map.Entry<LocalNode, NodeJmx> each : jmx.entrySet()) {
        Media.compact(each.getValue(), rack(each.getKey()));
      }
    }
    Loader.load(
        session, rows, done -> progress.accept("loading rows: %,d of %,d".formatted(done, rows)));
    progress.accept("settling");
    settle();
    if (system.isThrough()) {
      // Loaded by flushes, too: a sync a row would take hours.
      session.execute(
          "ALTER TABLE " + Table.QUALIFIED + " WITH memtable = '" + system.label() + "'");
      settle();
    }
    if (system.media().flatMap(Media::down).isPresent()) {
      progress.accept("killing a node");
      kill(system.media().flatMap(Media::down).orElseThrow());
    }
  }

  /** Kills the node of a rack, and waits until the others know. */
  private void kill(String rack) throws IOException, InterruptedException {
    LocalNode node =
        jmx.keySet().stream().filter(one -> rack(one).equals(rack)).findFirst().orElseThrow();
    jmx.remove(node).close();
    node.kill9();
    long began = System.nanoTime();
    for (NodeJmx each : jmx.values()) {
      while (each.liveNodes() > jmx.size()) {
        if (System.nanoTime() - began > MAX_SETTLING.toNanos()) {
          throw new NodeException(
              system.label()
                  + ": the killed "
                  + node
                  + " still counts as up. See the others' logs");
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  /** Lets requests take the time of modelled disks, or none; without such disks nothing changes. */
  void setTimed(boolean isTimed) throws IOException {
    if (system.media().isPresent()) {
      for (NodeJmx each : jmx.values()) {
        Media.setTimed(each, isTimed);
      }
    }
  }

  private static String rack(LocalNode node) {
    return node.settings().rack().orElseThrow().name();
  }

  /** Flushes, and waits until no node has mutations to make or SSTables to compact. */
  void settle() throws IOException, InterruptedException {
    for (NodeJmx each : jmx.values()) {
      each.flush(Table.KEYSPACE, Table.NAME);
    }
    long began = System.nanoTime();
    for (int quiet = 0; quiet < QUIET_POLLS; ) {
      Thread.sleep(POLL_MILLIS);
      long pending = 0;
      for (NodeJmx each : jmx.values()) {
        pending += number(each, COMPACTIONS, "Value");
        pending += number(each, MUTATIONS + "PendingTasks", "Value");
      }
      quiet = pending == 0 ? quiet + 1 : 0;
      if (System.nanoTime() - began > MAX_SETTLING.toNanos()) {
        throw new NodeException(
            system.label()
                + " still compacts after "
                + MAX_SETTLING.toSeconds()
                + " s; take fewer rows, or a machine that has less to do");
      }
    }
  }

  /** Returns how many reads each node has made itself, by its rack. */
  Map<String, Long> localReads() throws IOException {
    Map<String, Long> reads = new LinkedHashMap<>();
    for (Map.Entry<LocalNode, NodeJmx> each : jmx.entrySet()) {
      reads.put(rack(each.getKey()), number(each.getValue(), LOCAL_READS, "Count"));
    }
    return reads;
  }

  /** Returns the queue of mutations of each node, and how many it has made so far. */
  List<long[]> mutations() throws IOException {
    List<long[]> all = new ArrayList<>();
    for (NodeJmx each : jmx.values()) {
      all.add(
          new long[] {
            number(each, MUTATIONS + "PendingTasks", "Value"),
            number(each, MUTATIONS + "CompletedTasks", "Value")
          });
    }
    return all;
  }

  /** Returns the processor time of all nodes so far. */
  long cpuNanos() {
    return jmx.keySet().stream()
        .mapToLong(
            node ->
                node.process()
                    .orElseThrow(
                        () ->
                            new NodeException(
                                system.label() + ": " + node + " has ended. See its log"))
                    .info()
                    .totalCpuDuration()
                    .orElse(Duration.ZERO)
                    .toNanos())
        .sum();
  }

  private static long number(NodeJmx jmx, String bean, String attribute) throws IOException {
    return ((Number) jmx.attribute(bean, attribute)).longValue();
  }

  /** The data are thrown away: nothing is saved in an orderly stop. */
  @Override
  public void close() throws IOException {
    try {
      session.close();
      for (NodeJmx each : jmx.values()) {
        each.close();
      }
    } finally {
      cluster.kill9();
      DirectoryUse.delete(cluster.dir());
    }
  }
}
