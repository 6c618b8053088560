/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random CQL on tables of each engine and on one of Cassandra's own, with flushes, compactions,
 * restarts and kills between: the answers are the same.
 *
 * <p>{@code -Dkasane.twin.statements=100000} asks for more, {@code -Dkasane.seed=N} replays.
 */
@Tag("node")
@Tag("long")
class EngineTwinIT {
  private static final long SEED = TestRun.seed();
  private static final int STATEMENTS = Integer.getInteger("kasane.twin.statements", 40_000);
  private static final int STATEMENTS_OF_A_LIFE = Math.min(STATEMENTS, 1_000);
  private static final int STATEMENTS_BETWEEN_FLUSHES = 150;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  @Test
  void shouldAnswerAsCassandrasOwnEngineDoes() {
    LocalNode node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(settings -> settings.heap("768m").engine("redis", "innodb").syncEveryWrite())
            .build()
            .node(1);
    SplittableRandom random = new SplittableRandom(SEED);
    CqlTwins twins = new CqlTwins(List.of("lsm", "lmdb", "rocksdb", "redis", "innodb"), SEED);
    CqlSession session = node.start().waitUntilReady().connect();
    try {
      session.setSchemaMetadataEnabled(false);
      twins.use(session);
      twins.create(1);
      while (twins.statements() < STATEMENTS) {
        for (int i = 1; i <= STATEMENTS_OF_A_LIFE; i++) {
          twins.step();
          if (i % STATEMENTS_BETWEEN_FLUSHES == 0) {
            flush(node, twins, random);
          }
        }
        twins.writeShortLived();
        flush(node, twins, random);
        twins.scan();
        session.closeAsync();
        if (random.nextBoolean()) {
          node.kill9();
        } else {
          node.stop();
        }
        session = node.start().waitUntilReady().connect();
        twins.use(session);
        twins.scan();
        System.out.printf("twins: %,d statements alike, seed %d%n", twins.statements(), SEED);
      }
      assertThat(node.log().errors()).isEmpty();
    } catch (Throwable e) {
      throw new AssertionError("seed " + SEED + ", node " + dir + ": " + e, e);
    } finally {
      session.closeAsync();
      node.kill9();
    }
  }

  private static void flush(LocalNode node, CqlTwins twins, SplittableRandom random)
      throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      for (String table : twins.tables()) {
        if (random.nextInt(3) > 0) {
          jmx.flush(CqlTwins.KEYSPACE, table);
        }
        if (random.nextInt(8) == 0) {
          jmx.invoke(
              "org.apache.cassandra.db:type=StorageService",
              "forceKeyspaceCompaction",
              List.of(boolean.class, String.class, String[].class),
              false,
              CqlTwins.KEYSPACE,
              new String[] {table});
        }
      }
    }
  }
}
