/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.RampSession;
import io.kasane.testkit.SharedResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test classes one node, and sessions of it, that they share: each has its own tables. */
public final class UsesNode implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RampSession.class || type == CqlSession.class || type == LocalNode.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Opened opened = SharedResources.get(Opened.class, Opened::open);
    Class<?> type = parameter.getParameter().getType();
    return type == RampSession.class
        ? opened.session
        : type == CqlSession.class ? opened.cql : opened.cluster.node(1);
  }

  private record Opened(Path dir, LocalCluster cluster, CqlSession cql, RampSession session)
      implements AutoCloseable {
    static Opened open() {
      try {
        Path dir = Files.createTempDirectory("kasane-uses");
        LocalCluster cluster = RampNodes.of(1, dir, settings -> {}).start();
        CqlSession cql = RampNodes.connectAlone(cluster.node(1), "");
        cql.execute(
            "CREATE KEYSPACE uses WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
        return new Opened(dir, cluster, cql, RampSession.open(cql, "uses"));
      } catch (IOException e) {
        throw new IllegalStateException("no temporary directory", e);
      }
    }

    @Override
    public void close() {
      session.close();
      cql.close();
      cluster.kill9();
      DirectoryUse.delete(dir);
    }
  }
}
