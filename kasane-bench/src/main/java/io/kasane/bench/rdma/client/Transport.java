/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import java.util.EnumSet;
import java.util.Set;

/** How clients and servers reach each other. */
public enum Transport {
  /** Cassandra's own, over TCP: of nodes only. */
  CQL("cql", "tcp", false, false),
  /** TCP over the loopback device. */
  SOCKETS("sockets", "tcp", false, false),
  /** Active messages of OpenUCX, which the peer receives: send and receive. */
  SEND_RECEIVE("send-receive", "shm", true, false),
  /** Requests and answers are written into the peer's memory, which polls: GET+ and PUT+. */
  GET_PLUS("get-plus", "shm", true, false),
  /** Reads that ask nobody: GET* and PUT+. */
  GET_STAR("get-star", "shm", true, true),
  /** The same of a node's arena, by OpenUCX out of the memory of the process beside it. */
  GET_STAR_UCX("get-star-ucx", "shm", true, true);

  /** What needs OpenUCX. */
  private static final Set<Transport> BY_UCX = EnumSet.of(SEND_RECEIVE, GET_STAR_UCX);

  /** What only nodes have. */
  private static final Set<Transport> OF_NODES = EnumSet.of(CQL, GET_STAR_UCX);

  private final String label;
  private final String fabric;
  private final boolean isPolling;
  private final boolean isOneSided;

  Transport(String label, String fabric, boolean isPolling, boolean isOneSided) {
    this.label = label;
    this.fabric = fabric;
    this.isPolling = isPolling;
    this.isOneSided = isOneSided;
  }

  /** As users type it. */
  public String label() {
    return label;
  }

  /** What it goes over. */
  public String fabric() {
    return fabric;
  }

  /** Whether it needs OpenUCX. */
  public boolean isByUcx() {
    return BY_UCX.contains(this);
  }

  /** Whether the paper's store has it, too. */
  public boolean isOfStores() {
    return !OF_NODES.contains(this);
  }

  /** Whether servers poll memory. */
  public boolean isPolling() {
    return isPolling;
  }

  /** Whether committed versions are read without the server. */
  public boolean isOneSided() {
    return isOneSided;
  }
}
