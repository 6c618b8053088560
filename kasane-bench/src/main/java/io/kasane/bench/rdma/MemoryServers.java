/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.rdma.client.ShardedStore;
import io.kasane.bench.rdma.client.StoreProcess.ArenaSize;
import io.kasane.bench.rdma.client.StoreServers;
import io.kasane.bench.rdma.client.StoreSystems;
import io.kasane.bench.rdma.client.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The paper's store: servers for each transport that is asked for. For one thread. */
final class MemoryServers implements AutoCloseable {
  /** Sets of slots are not filled evenly. */
  private static final int SPARE = 2;

  private record Started(StoreServers servers, ShardedStore store) {}

  private final Map<Transport, Started> started = new EnumMap<>(Transport.class);
  private final TransactionNumbers numbers = new TransactionNumbers();
  private final Shape.Kind kind;
  private final int count;
  private final Path directory;

  /**
   * None yet.
   *
   * @param count of the servers of a transport
   * @param directory in shared memory
   */
  MemoryServers(Shape.Kind kind, int count, Path directory) {
    this.kind = kind;
    this.count = count;
    this.directory = directory;
  }

  Served open(Contestant contestant) throws IOException {
    Transport transport = contestant.transport();
    if (!started.containsKey(transport)) {
      started.put(transport, start(transport));
    }
    Started on = started.get(transport);
    return new Served(
        StoreSystems.open(contestant.system(), on.store, numbers),
        on.store::oneSided,
        on.servers::busy,
        on.servers::cpu);
  }

  private Started start(Transport transport) throws IOException {
    Path own = Files.createDirectories(directory.resolve(transport.label()));
    int systems = StoreSystems.NAMES.size();
    double slots = kind.arenaShare() == 1 ? SPARE * kind.keys() : kind.arenaShare() * kind.keys();
    ArenaSize size =
        new ArenaSize((long) (systems * slots), kind.valueBytes(), RdmaScale.maxSize());
    StoreServers servers = StoreServers.start(transport, own, count, size);
    try {
      return new Started(servers, new ShardedStore(servers));
    } catch (IOException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  @Override
  public void close() {
    for (Started one : started.values()) {
      one.store.close();
      one.servers.close();
    }
  }
}
