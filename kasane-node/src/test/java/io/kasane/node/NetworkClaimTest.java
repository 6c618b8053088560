/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkClaimTest {
  @Test
  void shouldGiveANetworkToOneClusterUntilItIsClosed() {
    String network;
    try (NetworkClaim first = NetworkClaim.of(3)) {
      network = first.network();
      // No node of it listens yet, and none does while it is killed.
      assertThat(NetworkClaim.of(network, 3)).isEmpty();
    }
    try (NetworkClaim again = NetworkClaim.of(network, 3).orElseThrow()) {
      assertThat(again.network()).isEqualTo(network);
    }
  }

  @Test
  void shouldKeepTheNetworkOfAClusterThatWasStoppedWithOtherSettings(@TempDir Path dir) {
    LocalCluster cluster = LocalCluster.builder(new Distribution(dir), dir).isolated().build();
    String network = cluster.node(1).settings().network();
    cluster.with(settings -> settings.heap("600m")).close();
    assertThat(NetworkClaim.of(network, 1)).as("it may be started again").isEmpty();
    cluster.close();
    NetworkClaim.of(network, 1).orElseThrow().close();
  }

  @Test
  void shouldNotGiveANetworkInWhichANodeRuns() throws IOException {
    String network;
    try (NetworkClaim claim = NetworkClaim.of(3)) {
      network = claim.network();
    }
    InetAddress second = InetAddress.getByName(network + ".2");
    try (ServerSocket node = new ServerSocket(NodeSettings.DEFAULT_NATIVE_PORT, 1, second)) {
      assertThat(NetworkClaim.of(network, 3)).isEmpty();
      assertThat(node.isBound()).isTrue();
    }
    NetworkClaim.of(network, 3).orElseThrow().close();
  }
}
