/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.node.Sessions;
import io.kasane.testkit.SharedResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test classes one stock node, and a session of it, that they share: keyspaces differ. */
final class StockNode implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == LocalNode.class || type == CqlSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Started started = SharedResources.get(Started.class, Started::start);
    return parameter.getParameter().getType() == LocalNode.class
        ? started.cluster.node(1)
        : started.cql;
  }

  private record Started(Path dir, LocalCluster cluster, CqlSession cql) implements AutoCloseable {
    static Started start() {
      try {
        Path dir = Files.createTempDirectory("kasane-stock");
        LocalCluster cluster =
            LocalCluster.builder(Distribution.locate(), dir)
                .isolated()
                .nodes(1)
                .each(settings -> settings.withKasane(false).heap("512m"))
                .build()
                .start();
        NodeSettings settings = cluster.node(1).settings();
        return new Started(dir, cluster, Sessions.open(settings.address(), settings.nativePort()));
      } catch (IOException e) {
        throw new IllegalStateException("no temporary directory", e);
      }
    }

    @Override
    public void close() {
      cql.close();
      cluster.kill9();
      DirectoryUse.delete(dir);
    }
  }
}
