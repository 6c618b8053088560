/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.ContendedException;
import io.kasane.ramp.protocol.UnfinishedPutException;
import io.kasane.testkit.TestRun;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The slow beside the fast, on the same keys. */
@Tag("node")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class ContentionIT {
  private static final int TRIES = TestRun.size("kasane.ramp.tries", 40, 100);
  private static final long MILLI = 1_000_000;

  private CqlSession slowCql;
  private RampSession session;
  private RampTable<String, Long> table;
  private volatile boolean ended;

  @BeforeAll
  void open(LocalNode node, RampSession opened) {
    slowCql = SlowSession.of(RampNodes.connect(node), 10 * MILLI);
    session = opened;
    table = session.table("contended", Codecs.text(), Codecs.int64());
  }

  @AfterAll
  void close() {
    slowCql.close();
  }

  /** Each of its requests takes 10 ms more: a put some 20 ms. */
  @Test
  void aSlowWriterCommitsBesideAFastOne() throws Exception {
    int committed = 0;
    try (RampSession slow = RampSession.open(slowCql, "uses")) {
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
    assertThat(read).isGreaterThanOrEqualTo(TRIES - Math.max(1, TRIES / 100));
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
