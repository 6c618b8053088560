/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KindsLoadBalancingPolicyTest {
  /** A node that says its rack, and nothing else. */
  private static Node node(String rack) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getRack" -> rack;
                  case "toString" -> "of " + rack;
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void nodesOfAvoidedRacksAreAskedLastAndAllOthersInTheDriversOrder() {
    List<Node> nodes =
        List.of(node("hdd"), node("ssd"), node(null), node("hdd"), node("ssd2"), node("HDD"));
    Queue<Node> plan =
        KindsLoadBalancingPolicy.avoidedLast(new ArrayDeque<>(nodes), Set.of("hdd", "tape"));
    List<Node> asked = new ArrayList<>();
    for (Node node = plan.poll(); node != null; node = plan.poll()) {
      asked.add(node);
    }
    assertThat(asked)
        .containsExactly(
            nodes.get(1), nodes.get(2), nodes.get(4), nodes.get(5), nodes.get(0), nodes.get(3));
  }

  /** Nobody is asked before that is known. */
  @Test
  void aProfileThatNamesNoRackIsRefusedWithTheSettingAndTheWayOut() {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, KindsLoadBalancingPolicy.class)
            .build();
    assertThatThrownBy(
            () ->
                CqlSession.builder()
                    .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))
                    .withLocalDatacenter("datacenter1")
                    .withConfigLoader(config)
                    .build())
        .rootCause()
        .hasMessageContainingAll(
            "basic.load-balancing-policy.avoided-racks", "'default'", "DefaultLoadBalancingPolicy");
  }
}
