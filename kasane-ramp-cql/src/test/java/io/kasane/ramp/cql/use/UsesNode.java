/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.RampSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test classes one node, and a session of it, that they share. */
final class UsesNode implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RampSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(UsesNode.class))
        .getOrComputeIfAbsent(Opened.class, type -> Opened.open(), Opened.class)
        .session;
  }

  private record Opened(Path dir, LocalCluster cluster, CqlSession cql, RampSession session)
      implements CloseableResource {
    static Opened open() {
      try {
        Path dir = Files.createTempDirectory("kasane-uses");
        LocalCluster cluster = RampNodes.of(1, dir, settings -> {}).start();
        CqlSession cql = RampNodes.connect(cluster.node(1));
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
