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
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One node, and a session to it, for all test classes of a JVM that ask for nothing special. A
 * class has the keyspace {@code k} to itself, which is dropped after its last test. It may stop or
 * kill the node and start it again, and then needs a session of its own; it must not change the
 * node's settings.
 */
final class SharedNode implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  /** Half of it is the most that the log takes at once: large rows fit, and few writes fill it. */
  static final int COMMIT_LOG_SEGMENT_BYTES = 8 << 20;

  /** Tombstones are counted by the second in which they were written, not by the minute. */
  private static final String EXACT = "-Dcassandra.streaminghistogram.roundseconds=1";

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
    return parameter.getParameter().getType() == LocalNode.class ? node.node : node.session();
  }

  /** Where the node looks for lists of hot keys. */
  static Path keyLists(LocalNode node) {
    return node.settings().dir().resolveSibling("lists");
  }

  private static Running node() {
    return SharedResources.get(Running.class, Running::new);
  }

  private static final class Running implements AutoCloseable {
    private final Path dir;
    private final LocalCluster cluster;
    private final LocalNode node;
    private CqlSession session;
    private Optional<ProcessHandle> connected;
    private int errorsBefore;

    Running() {
      try {
        dir = Files.createTempDirectory("kasane-shared");
        Path lists = Files.createDirectory(dir.resolve("lists"));
        cluster =
            Tiered.oneNode(
                dir,
                settings ->
                    settings
                        .heap("700m")
                        .jvmFlag(EXACT)
                        .kasaneYaml("key_lists_directory", lists.toString())
                        .yaml("commitlog_segment_size", (COMMIT_LOG_SEGMENT_BYTES >> 20) + "MiB")
                        .yaml("materialized_views_enabled", true));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      node = cluster.start().node(1);
      session = node.connect();
      connected = node.process();
    }

    /** A session to the process that runs now. */
    CqlSession session() {
      if (!node.isAlive()) {
        node.start().waitUntilReady();
      }
      if (!node.process().equals(connected)) {
        session.close();
        session = node.connect();
        connected = node.process();
      }
      return session;
    }

    void beginClass() {
      CqlSession open = session();
      errorsBefore = node.log().errors().size();
      Tiered.createKeyspace(open, 1);
      Tiered.awaitSchema(node);
    }

    void endClass() {
      session().execute("DROP KEYSPACE " + Tiered.KEYSPACE);
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
