/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.rdma.client.StoreSystems;
import io.kasane.bench.rdma.client.Transport;
import io.kasane.node.NodeException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A way to run transactions, over a transport.
 *
 * @param system one of {@link StoreSystems#NAMES}
 * @param transport of the first rounds; all else goes to a node by CQL
 */
record Contestant(String system, Store store, Transport transport) {
  /** Where versions are. */
  enum Store {
    /** In servers of the paper's kind. */
    MEMORY,
    /** On a node, with arenas. */
    CASSANDRA;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What others are compared with. */
  static final Contestant BASELINE = memory(StoreSystems.RAMP, Transport.SOCKETS);

  /** All, in the order of the tables. Locks have to be asked for: there are none in a slot. */
  static final List<Contestant> ALL =
      List.of(
          BASELINE,
          memory(StoreSystems.RAMP, Transport.SEND_RECEIVE),
          memory(StoreSystems.RAMP, Transport.GET_PLUS),
          memory(StoreSystems.RAMP, Transport.GET_STAR),
          memory(StoreSystems.LOCKS, Transport.SOCKETS),
          memory(StoreSystems.LOCKS, Transport.GET_PLUS),
          memory(StoreSystems.NONE, Transport.SOCKETS),
          memory(StoreSystems.NONE, Transport.SEND_RECEIVE),
          memory(StoreSystems.NONE, Transport.GET_PLUS),
          memory(StoreSystems.NONE, Transport.GET_STAR),
          new Contestant(StoreSystems.RAMP, Store.CASSANDRA, Transport.CQL),
          new Contestant(StoreSystems.RAMP, Store.CASSANDRA, Transport.SOCKETS),
          new Contestant(StoreSystems.RAMP, Store.CASSANDRA, Transport.SEND_RECEIVE),
          new Contestant(StoreSystems.RAMP, Store.CASSANDRA, Transport.GET_STAR_UCX),
          new Contestant(StoreSystems.RAMP, Store.CASSANDRA, Transport.GET_STAR));

  private static Contestant memory(String system, Transport transport) {
    return new Contestant(system, Store.MEMORY, transport);
  }

  String label() {
    return (store == Store.MEMORY ? system : store.label()) + "-" + transport.label();
  }

  /** A node runs the shapes of YCSB, with room for all keys. */
  boolean runs(Shape.Kind kind) {
    return store == Store.MEMORY || kind.equals(RdmaScale.ycsb().kind());
  }

  /** Whether its reads are never halves, by what it promises. */
  boolean promisesAtomicReads() {
    return !system.equals(StoreSystems.NONE);
  }

  /** Those of these labels, or all. */
  static List<Contestant> chosen(Set<String> labels) {
    if (labels == null) {
      return ALL;
    }
    List<String> known = ALL.stream().map(Contestant::label).toList();
    for (String label : labels) {
      if (!known.contains(label)) {
        throw new NodeException(
            "--only: '"
                + label
                + "' is none of "
                + known.stream().collect(Collectors.joining(", ")));
      }
    }
    return ALL.stream().filter(one -> labels.contains(one.label())).toList();
  }
}
