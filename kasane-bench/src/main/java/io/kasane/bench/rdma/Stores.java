/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.rdma.Contestant.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What shapes of one kind run on: all contestants, started. For one thread. */
final class Stores implements AutoCloseable {
  private final Map<Contestant, Served> served = new LinkedHashMap<>();
  private final MemoryServers memory;
  private CassandraServer cassandra;

  /**
   * Starts what the contestants need.
   *
   * @param servers of each transport of the store in memory
   * @param shared a directory in shared memory
   * @param disk a directory for nodes
   */
  Stores(Shape.Kind kind, List<Contestant> contestants, int servers, Path shared, Path disk)
      throws IOException {
    this.memory = new MemoryServers(kind, servers, Files.createTempDirectory(shared, "store"));
    try {
      for (Contestant contestant : contestants) {
        served.put(contestant, open(contestant, shared, disk));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Served open(Contestant contestant, Path shared, Path disk) throws IOException {
    if (contestant.store() == Store.MEMORY) {
      return memory.open(contestant);
    }
    if (cassandra == null) {
      cassandra =
          CassandraServer.start(
              Files.createTempDirectory(disk, "node"), Files.createTempDirectory(shared, "arenas"));
    }
    return cassandra.open(contestant);
  }

  Served of(Contestant contestant) {
    return served.get(contestant);
  }

  @Override
  public void close() {
    served.values().forEach(one -> one.system().close());
    memory.close();
    if (cassandra != null) {
      cassandra.close();
    }
  }
}
