/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;

class NodeJmxTest {
  @Test
  void aProcessThatIsNoNodeIsNamed() throws Exception {
    int port = Ports.freeLoopbackPorts(1).get(0);
    Registry registry = LocateRegistry.createRegistry(port);
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            null,
            ManagementFactory.getPlatformMBeanServer());
    server.start();
    try (NodeJmx jmx = NodeJmx.connect(port)) {
      assertThatThrownBy(jmx::operationMode)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("InstanceNotFoundException")
          .hasMessageContaining("process " + ProcessHandle.current().pid() + "@")
          .hasMessageContaining("0 beans of org.apache.cassandra.db");
    } finally {
      server.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }
}
