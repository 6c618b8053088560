/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.ramp.system.Schema;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Some stock nodes with every row on each, and a keyspace. */
public final class RampCluster implements AutoCloseable {
  /** The keyspace. */
  public static final String KEYSPACE = "transactions";

  private static final String HEAP = "512m";

  /** Three nodes start at once on a few cores, which may have other work. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** A batch of 128 keys of 8 KB; by default Cassandra refuses what is over 50 KiB. */
  private static final String LARGEST_BATCH = "4MiB";

  private final LocalCluster nodes;
  private final CqlSession session;

  private RampCluster(LocalCluster nodes) {
    this.nodes = nodes;
    this.session = nodes.connect();
    Schema.change(
        session,
        "CREATE KEYSPACE IF NOT EXISTS "
            + KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
            + nodes.nodes().size()
            + "}");
  }

  /** Starts the nodes; their files lie below the directory. */
  public static RampCluster start(Distribution distribution, Path directory, int nodes) {
    LocalCluster cluster =
        LocalCluster.builder(distribution, directory)
            .nodes(nodes)
            .isolated()
            .each(RampCluster::configure)
            .build();
    cluster.start(PATIENCE);
    try {
      return new RampCluster(cluster);
    } catch (RuntimeException e) {
      cluster.kill9();
      throw e;
    }
  }

  private static void configure(NodeSettings.Builder node) {
    node.withKasane(false)
        .heap(HEAP)
        .yaml("data_file_directories", List.of(node.build().slow().toString()))
        .yaml("batch_size_warn_threshold", LARGEST_BATCH)
        .yaml("batch_size_fail_threshold", LARGEST_BATCH)
        // Fewer rounds than version 1, the default: conditional writes at their best.
        .yaml("paxos_variant", "v2");
  }

  /** A session, which is closed with the cluster. */
  public CqlSession session() {
    return session;
  }

  /** What the files of a table take on the first node, in bytes, all of it flushed. */
  public long bytesOf(String table) {
    LocalNode first = nodes.node(1);
    try (NodeJmx jmx = first.jmx()) {
      jmx.flush(KEYSPACE, table);
      return (Long)
          jmx.attribute(
              "org.apache.cassandra.metrics:type=Table,keyspace="
                  + KEYSPACE
                  + ",scope="
                  + table
                  + ",name=LiveDiskSpaceUsed",
              "Count");
    } catch (IOException e) {
      throw new NodeException("node 1 does not answer over JMX: " + e.getMessage(), e);
    }
  }

  /** Forgets a table and its files. */
  public void drop(String table) {
    Schema.change(session, "DROP TABLE IF EXISTS " + KEYSPACE + "." + table);
  }

  /** The data go with the nodes: nothing is saved in an orderly stop. */
  @Override
  public void close() {
    session.close();
    nodes.kill9();
  }
}
