/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback network that one cluster has for itself until the claim is closed, or its process
 * ends.
 *
 * <p>That no node listens in a network does not say that it is free: a node needs seconds until it
 * listens, and one that a test has killed comes back. So a claim listens itself, at an address of
 * the network that no node gets.
 */
final class NetworkClaim implements AutoCloseable {
  private static final int LAST_NETWORK = 250;
  private static final int CLAIMING_NODE = 254;

  private final String network;
  private final ServerSocket claim;

  private NetworkClaim(String network, ServerSocket claim) {
    this.network = network;
    this.claim = claim;
  }

  /** Claims a network in which the addresses of the first {@code nodes} nodes are unused. */
  static NetworkClaim of(int nodes) {
    int start = ThreadLocalRandom.current().nextInt(LAST_NETWORK);
    for (int i = 0; i < LAST_NETWORK; i++) {
      Optional<NetworkClaim> claim = of("127.0." + (1 + (start + i) % LAST_NETWORK), nodes);
      if (claim.isPresent()) {
        return claim.get();
      }
    }
    throw new NodeException(
        "No loopback network 127.0.1 to 127.0."
            + LAST_NETWORK
            + " has its ports "
            + NodeSettings.DEFAULT_NATIVE_PORT
            + " and "
            + NodeSettings.DEFAULT_STORAGE_PORT
            + " free. Stop a cluster with 'kasane down'.");
  }

  /** Claims this network, if nobody has it. */
  static Optional<NetworkClaim> of(String network, int nodes) {
    ServerSocket claim = null;
    try {
      claim = new ServerSocket();
      claim.bind(
          new InetSocketAddress(network + "." + CLAIMING_NODE, NodeSettings.DEFAULT_STORAGE_PORT));
      if (isUnused(network, nodes)) {
        return Optional.of(new NetworkClaim(network, claim));
      }
    } catch (IOException e) {
      // Another process, or another cluster of this one, has it.
    }
    close(claim);
    return Optional.empty();
  }

  private static boolean isUnused(String network, int nodes) {
    for (int node = 1; node <= nodes; node++) {
      String host = network + "." + node;
      if (!Ports.isFree(host, NodeSettings.DEFAULT_NATIVE_PORT)
          || !Ports.isFree(host, NodeSettings.DEFAULT_STORAGE_PORT)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the first three numbers of the network's addresses. */
  String network() {
    return network;
  }

  @Override
  public void close() {
    close(claim);
  }

  private static void close(ServerSocket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
