/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void shouldNotOfferPortsThatConnectionsGet() {
    List<Integer> ports = Ports.freeLoopbackPorts(100);
    assertThat(ports)
        .hasSize(100)
        .doesNotHaveDuplicates()
        .allMatch(port -> port < 32_768 && Ports.isFree("127.0.0.1", port));
  }

  @Test
  void shouldSeeThatAPortIsTaken() throws IOException {
    int port = Ports.freeLoopbackPorts(1).get(0);
    try (ServerSocket taker = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.isFree("127.0.0.1", taker.getLocalPort())).isFalse();
    }
    assertThat(Ports.isFree("127.0.0.1", port)).isTrue();
  }
}
