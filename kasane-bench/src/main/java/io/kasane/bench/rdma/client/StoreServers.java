/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.rdma.client.StoreProcess.ArenaSize;
import io.kasane.bench.rdma.store.Wire;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Servers that share the keys, each with those of a part of the hashes. */
public final class StoreServers implements Closeable {
  private final Transport transport;
  private final Path directory;
  private final List<StoreProcess> processes = new ArrayList<>();

  private StoreServers(Transport transport, Path directory) {
    this.transport = transport;
    this.directory = directory;
  }

  /**
   * Starts them.
   *
   * @param directory in shared memory
   * @param size of all their arenas together
   */
  public static StoreServers start(Transport transport, Path directory, int count, ArenaSize size) {
    StoreServers servers = new StoreServers(transport, directory);
    ArenaSize each =
        new ArenaSize((size.slots() + count - 1) / count, size.valueBytes(), size.siblings());
    try {
      for (int i = 0; i < count; i++) {
        servers.processes.add(StoreProcess.start(transport, directory, i, each));
      }
      return servers;
    } catch (RuntimeException | Error e) {
      servers.close();
      throw e;
    }
  }

  Transport transport() {
    return transport;
  }

  int count() {
    return processes.size();
  }

  /** Where their arenas are; none if they have none. */
  List<Path> arenas() {
    return processes.stream().map(StoreProcess::arena).flatMap(Optional::stream).toList();
  }

  /** Connects to each of them. */
  Link[] connect() throws IOException {
    Link[] links = new Link[processes.size()];
    for (int i = 0; i < links.length; i++) {
      int port = processes.get(i).port();
      links[i] =
          switch (transport) {
            case SEND_RECEIVE -> new UcxLink(port);
            case GET_PLUS, GET_STAR -> new RingLink(port, directory);
            case SOCKETS -> new SocketLink(port);
            case CQL, GET_STAR_UCX -> throw new IllegalArgumentException("only nodes have it");
          };
    }
    return links;
  }

  /** What all processes have used of the processors, polling included. */
  public Duration cpu() {
    return processes.stream().map(StoreProcess::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  /** How long they worked on requests, all together. */
  public Duration busy() {
    long nanos = 0;
    try {
      for (Link link : connect()) {
        try (link) {
          ByteBuffer out = link.begin();
          out.put(Wire.BUSY).putShort((short) 0);
          link.send();
          nanos += link.receive().getLong();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("a server of the store does not answer", e);
    }
    return Duration.ofNanos(nanos);
  }

  List<ProcessHandle> handles() {
    return processes.stream().map(StoreProcess::handle).toList();
  }

  @Override
  public void close() {
    processes.forEach(StoreProcess::close);
  }
}
