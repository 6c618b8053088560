/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Which addresses a node needs, and whether they are free. */
public final class Ports {
  /**
   * One address a node listens on.
   *
   * @param purpose what the node uses it for
   * @param host the address
   * @param port the port
   */
  public record Listener(String purpose, String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port + " (" + purpose + ")";
    }
  }

  private static final int FIRST_PORT = 10_000;

  /** Linux gives ports from here on to connections, unless it is told otherwise. */
  private static final int FIRST_EPHEMERAL_PORT = 32_768;

  private static final int MAX_TRIES = 1_000;

  private Ports() {}

  /** Returns the addresses a node listens on. */
  public static List<Listener> of(NodeSettings settings) {
    return List.of(
        new Listener("CQL", settings.address(), settings.nativePort()),
        new Listener("between nodes", settings.address(), settings.storagePort()),
        new Listener("JMX", "127.0.0.1", settings.jmxPort()));
  }

  /** Returns those of the node's addresses that another process holds. */
  public static List<Listener> taken(NodeSettings settings) {
    return of(settings).stream()
        .filter(listener -> !isFree(listener.host(), listener.port()))
        .toList();
  }

  /** Returns whether this process could listen on the address now. */
  public static boolean isFree(String host, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // As Cassandra does: connections that linger from a node just stopped are no obstacle.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns ports of the loopback address that are free now, all different. Not of those that the
   * kernel gives to connections: a client might get one before the node that is meant to listen
   * there is started.
   */
  public static List<Integer> freeLoopbackPorts(int count) {
    List<Integer> ports =
        ThreadLocalRandom.current()
            .ints(MAX_TRIES, FIRST_PORT, FIRST_EPHEMERAL_PORT)
            .distinct()
            .filter(port -> isFree("127.0.0.1", port))
            .limit(count)
            .boxed()
            .toList();
    if (ports.size() < count) {
      throw new NodeException(
          "Of "
              + MAX_TRIES
              + " ports tried on 127.0.0.1, from "
              + FIRST_PORT
              + " to "
              + (FIRST_EPHEMERAL_PORT - 1)
              + ", "
              + ports.size()
              + " were free; "
              + count
              + " are needed. 'ss -ltn' lists those in use.");
    }
    return ports;
  }
}
