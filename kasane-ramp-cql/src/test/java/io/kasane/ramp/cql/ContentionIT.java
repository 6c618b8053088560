/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.protocol.ContendedException;
import io.kasane.ramp.protocol.UnfinishedPutException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The slow beside the fast, on the same keys. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContentionIT {
  private static final int TRIES = 200;
  private static final long MILLI = 1_000_000;

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession cql;
  private CqlSession slowCql;
  private RampSession session;
  private RampTable<String, Long> table;
  private volatile boolean ended;

  @BeforeAll
  void start() {
    cluster = RampNodes.of(1, dir, settings -> {}).start();
    cql = RampNodes.connect(cluster.node(1));
    slowCql = SlowSession.of(RampNodes.connect(cluster.node(1)), 10 * MILLI);
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    session = RampSession.open(cql, "shop");
    table = session.table("contended", Codecs.text(), Codecs.int64());
  }

  @AfterAll
  void stop() {
    session.close();
    cql.close();
    slowCql.close();
    cluster.kill9();
  }

  /** Each of its requests takes 10 ms more: a put some 20 ms. */
  @Test
  void aSlowWriterCommitsBesideAFastOne() throws Exception {
    int committed = 0;
    try (RampSession slow = RampSession.open(slowCql, "shop")) {
      slow.table("contended", Codecs.text(), Codecs.int64());
      CompletableFuture<Long> fast = writing(0);
      for (int number = 0; number < TRIES; number++) {
        try {
          slow.newSession().put(table, "left", (long) -number);
          committed++;
        } catch (UnfinishedPutException e) {
          assertThat(e).hasRootCauseInstanceOf(ContendedException.class);
        }
      }
      ended = true;
      System.out.printf(
          "beside %,d fast puts %d of %d slow ones committed%n", fast.join(), committed, TRIES);
    }
    assertThat(committed).isGreaterThanOrEqualTo(TRIES * 95 / 100);
  }

  @Test
  void aReadOfTwoStepsSucceedsWhereItIsWrittenAllTheTime() throws Exception {
    CompletableFuture<Long> writing = writing(1000 * MILLI / 150);
    int read = 0;
    int contended = 0;
    for (int number = 0; number < TRIES; number++) {
      try {
        boolean whole =
            session
                .newSession()
                .readTransaction(
                    reader -> {
                      var left = reader.get(table, "left");
                      LockSupport.parkNanos(5 * MILLI);
                      return left.equals(reader.get(table, "right"));
                    });
        assertThat(whole).isTrue();
        read++;
      } catch (ContendedException e) {
        contended++;
      }
    }
    ended = true;
    System.out.printf(
        "beside %,d puts of a pair %d reads in two steps succeeded, %d were contended%n",
        writing.join(), read, contended);
    assertThat(read).isGreaterThanOrEqualTo(TRIES * 99 / 100);
  }

  /** Puts the pair until the test has ended. */
  private CompletableFuture<Long> writing(long pauseNanos) {
    ended = false;
    session.write().put(table, "left", 0L).put(table, "right", 0L).commit();
    return CompletableFuture.supplyAsync(
        () -> {
          long number = 1;
          RampSession writer = session.newSession();
          for (; !ended; number++) {
            writer.write().put(table, "left", number).put(table, "right", number).commit();
            LockSupport.parkNanos(pauseNanos);
          }
          return number;
        });
  }
}
