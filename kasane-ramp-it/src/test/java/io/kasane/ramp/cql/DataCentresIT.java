/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.ramp.protocol.NotCommittedException;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.UnavailableException;
import io.kasane.ramp.protocol.UnfinishedPutException;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two data centres, an application in each. Each has one node with all replicas, or {@code
 * kasane.ramp.nodesEach} of them.
 */
@Tag("node")
@Tag("cluster")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DataCentresIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int NODES_EACH = TestRun.size("kasane.ramp.nodesEach", 1, 2);

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession firstCql;
  private CqlSession secondCql;
  private RampSession first;
  private RampSession second;
  private RampTable<String, Long> numbers;

  @BeforeAll
  void start() {
    cluster = RampNodes.inTwoDataCentres(NODES_EACH, dir).start();
    firstCql = RampNodes.connect(cluster.node(1), "dc1", "", PATIENCE);
    secondCql = RampNodes.connect(cluster.node(2), "dc2", "", PATIENCE);
    firstCql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + String.format(
                " {'class': 'NetworkTopologyStrategy', 'dc1': %1$d, 'dc2': %1$d}", NODES_EACH));
    first = RampSession.open(firstCql, "shop");
    second = RampSession.open(secondCql, "shop");
    numbers = first.table("numbers", Codecs.text(), Codecs.int64());
    second.table("numbers", Codecs.text(), Codecs.int64());
  }

  @AfterAll
  void stop() {
    for (AutoCloseable each : new AutoCloseable[] {first, second, firstCql, secondCql}) {
      if (each != null) {
        try {
          each.close();
        } catch (Exception e) {
          throw new AssertionError("cannot close", e);
        }
      }
    }
    cluster.kill9();
  }

  @Test
  @Order(1)
  void whatOneCentreCommittedTheOtherReadsAtOnce() {
    for (long i = 1; i <= 50; i++) {
      RampSession writer = i % 2 == 0 ? first : second;
      RampSession reader = i % 2 == 0 ? second : first;
      writer.put(numbers, "turn", i);
      assertThat(reader.newSession().get(numbers, "turn")).contains(i);
    }
  }

  @Test
  @Order(2)
  void bothCentresWriteAndReadWholeTransactions() throws Exception {
    WholeGroups groups = new WholeGroups(numbers, 2);
    groups.run(List.of(first, second), 60, () -> {});
    for (int group = 0; group < 2; group++) {
      groups.requireWhole(first.newSession(), group);
      groups.requireWhole(second.newSession(), group);
    }
    assertThat(groups.failures.sum()).as("failures").isZero();
    assertThat(groups.reads.sum()).isPositive();
  }

  @Test
  @Order(3)
  void localWritesAreRefused() {
    assertThatThrownBy(
            () ->
                RampSession.builder(firstCql, "shop")
                    .levels(levels -> levels.withWrites(LOCAL_QUORUM, LOCAL_QUORUM))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prepare: LOCAL_QUORUM")
        .hasMessageContaining(String.format("{dc1=%1$d, dc2=%1$d}", NODES_EACH))
        .hasMessageContaining("EACH_QUORUM");
  }

  /** Of one or two replicas all are a quorum: a node less stops writes, and reads of its centre. */
  @Test
  @Order(4)
  void aCentreWithoutQuorumStopsWritesAndNotTheReadsOfTheOther() throws Exception {
    first.put(numbers, "kept", 1L);
    RampSession overflowed = sessionThatSawMoreThanItRemembers();
    LocalNode lost = cluster.node(2 * NODES_EACH);
    lost.kill9();

    NotCommittedException failure =
        catchThrowableOfType(NotCommittedException.class, () -> first.put(numbers, "kept", 2L));
    assertThat(failure).isNotNull();
    assertThat(first.newSession().get(numbers, "kept")).contains(1L);
    assertThat(overflowed.get(numbers, "kept")).contains(1L);
    overflowed.close();

    lost.start().waitUntilReady();
    cluster.waitUntilAllSeeAll();
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptionsInstanceOf(UnfinishedPutException.class)
        .untilAsserted(
            () -> assertThat(first.retry(failure)).isGreaterThanOrEqualTo(failure.timestamp()));
    assertThat(first.newSession().get(numbers, "kept")).contains(2L);
    // Its driver may have to connect again.
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptionsInstanceOf(UnavailableException.class)
        .untilAsserted(() -> assertThat(second.newSession().get(numbers, "kept")).contains(2L));
  }

  private RampSession sessionThatSawMoreThanItRemembers() {
    RampOptions forgetful = RampOptions.defaults().withMaxFloors(2);
    RampSession session = RampSession.builder(firstCql, "shop").options(forgetful).build();
    session.put(numbers, Map.of("some", 1L, "of", 2L, "many", 3L, "keys", 4L));
    return session;
  }
}
