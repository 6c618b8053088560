/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.RampNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives a test class three nodes that lose nothing that they acknowledged. */
public final class ThreeNodes implements BeforeAllCallback, ParameterResolver {
  @Override
  public void beforeAll(ExtensionContext context) {
    store(context).put(Started.class, Started.start());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return store(context).get(Started.class, Started.class).cluster;
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(ExtensionContext.Namespace.create(ThreeNodes.class));
  }

  private record Started(Path dir, LocalCluster cluster)
      implements ExtensionContext.Store.CloseableResource {
    static Started start() {
      try {
        Path dir = Files.createTempDirectory("kasane-three");
        return new Started(dir, cluster(dir).start());
      } catch (IOException e) {
        throw new IllegalStateException("no temporary directory", e);
      }
    }

    private static LocalCluster cluster(Path dir) {
      AtomicInteger number = new AtomicInteger();
      return RampNodes.of(
          3,
          dir,
          settings -> {
            settings.syncEveryWrite();
            LoadArenas.apply(number.incrementAndGet(), settings);
            if (Campaign.WANTED > 0) {
              // Other than in short tests, the second compiler pays.
              settings.jvmFlag("-XX:TieredStopAtLevel=4");
            }
            for (String kind : List.of("read_request", "write_request", "request")) {
              settings.yaml(kind + "_timeout", Load.NODE_TIMEOUT);
            }
          });
    }

    @Override
    public void close() {
      cluster.kill9();
      DirectoryUse.delete(dir);
    }
  }
}
