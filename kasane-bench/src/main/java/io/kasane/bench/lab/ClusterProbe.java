/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What can be read off the nodes of a running cluster at any time. */
final class ClusterProbe implements AutoCloseable {
  private final List<NodeProbe> nodes = new ArrayList<>();

  ClusterProbe(LocalCluster cluster, Contestant contestant, DiskRig rig) throws IOException {
    for (LocalNode node : cluster.nodes()) {
      nodes.add(new NodeProbe(node, contestant, rig));
    }
  }

  /** Says that measuring begins. */
  void measure() {
    try {
      for (NodeProbe node : nodes) {
        node.measure();
      }
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  /** Returns the counters of all nodes together. */
  NodeCounters counters() {
    try {
      NodeCounters sum = null;
      for (NodeProbe node : nodes) {
        NodeCounters one = node.counters();
        sum = sum == null ? one : sum.plus(one);
      }
      return sum;
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  /** Returns what all nodes hold in memory now. */
  NodeMemory memory() {
    try {
      NodeMemory sum = new NodeMemory(0, 0, 0, 0);
      for (NodeProbe node : nodes) {
        sum = sum.plus(node.memory());
      }
      return sum;
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  /** Returns in how many SSTables of one node a key has parts, mean of the keys. */
  double sstablesHolding(List<String> keys) {
    try {
      return nodes.get(0).sstablesHolding(keys);
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  private static NodeException unanswered(IOException e) {
    return new NodeException("a node does not answer over JMX: " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    for (NodeProbe node : nodes) {
      node.close();
    }
  }
}
