/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.FilesBelow;
import io.kasane.testkit.SharedResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One node, and a session to it, for all test classes of a JVM that ask for nothing special. A
 * class has the keyspace {@code k} to itself, which is dropped after its last test, and must not
 * stop the node or change its settings.
 */
final class SharedNode implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  @Override
  public void beforeAll(ExtensionContext context) {
    node().beginClass();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    node().endClass();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == LocalNode.class || type == CqlSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Running node = node();
    return parameter.getParameter().getType() == LocalNode.class ? node.node : node.session;
  }

  private static Running node() {
    return SharedResources.get(Running.class, Running::new);
  }

  private static final class Running implements AutoCloseable {
    private final Path dir;
    private final LocalCluster cluster;
    private final LocalNode node;
    private final CqlSession session;
    private int errorsBefore;

    Running() {
      try {
        dir = Files.createTempDirectory("kasane-shared");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      cluster =
          Tiered.oneNode(
              dir, settings -> settings.heap("700m").yaml("materialized_views_enabled", true));
      node = cluster.start().node(1);
      session = node.connect();
    }

    void beginClass() {
      errorsBefore = node.log().errors().size();
      Tiered.createKeyspace(session, 1);
      Tiered.awaitSchema(node);
    }

    void endClass() {
      session.execute("DROP KEYSPACE " + Tiered.KEYSPACE);
      nodetool(node, "clearsnapshot", "--all");
      Awaitility.await("nothing is left on fast")
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  FilesBelow.of(node.settings().fast()).stream()
                      .noneMatch(file -> file.toString().endsWith(".db")));
      List<String> errors = node.log().errors();
      assertThat(errors.subList(errorsBefore, errors.size())).as("log of %s", node).isEmpty();
    }

    @Override
    public void close() throws IOException {
      session.close();
      cluster.close();
      DirectoryUse.delete(dir);
    }
  }
}
