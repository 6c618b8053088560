/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.faults.Tally.Count;
import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.HistoryReport;
import io.kasane.ramp.history.TransactionChecks;
import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.version.Mode;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Client processes with wrong clocks on three real nodes, while nodes and clients are killed. Short
 * unless {@code kasane.ramp.transactions} says how many transactions are wanted, and {@code
 * kasane.ramp.minutes} for how long at most; then nodes are also replaced. With {@code
 * kasane.ramp.arenas}, a directory in memory, clients read arenas of the nodes, as {@link
 * LoadArenas} says. The histories stay in {@code target/histories}.
 */
@Tag("node")
@Tag("cluster")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(ThreeNodes.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {
  private static final long WANTED = Campaign.WANTED;
  private static final boolean LONG = WANTED > 0;

  /** Transactions between two events of a run. */
  private static final int FEW = LONG ? 300 : 40;

  private static final int PROCESSES = Integer.getInteger("kasane.ramp.processes", LONG ? 3 : 2);

  /** What the runs after the first one take, of which the numbers below are the least. */
  private static final int MORE_PROCESSES = LONG ? Math.max(2, PROCESSES / 2) : 2;

  private static final Duration MOST =
      Duration.ofMinutes(Integer.getInteger("kasane.ramp.minutes", 24 * 60));

  /** How many faults a long run has, about; in a short one nodes need some time between them. */
  private static final int FAULTS = 40;

  private static final long BETWEEN_FAULTS = 1_000;

  private static final long MORE = Math.max(1, WANTED / 20_000);
  private static final Path HISTORIES = Path.of("target", "histories");
  private static final List<ConsistencyLevel> BOTH =
      List.of(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
  private static final List<Mode> MIXED = List.of(Mode.values());

  /** Only siblings that are named are missed: in the other modes a filter may have erred. */
  private static final List<Mode> RESTORED =
      Arrays.stream(System.getProperty("kasane.ramp.restored", "FAST").split("\\+"))
          .map(Mode::valueOf)
          .toList();

  private static final Set<Anomaly> OF_READS =
      EnumSet.of(
          Anomaly.FRACTURED,
          Anomaly.UNREPEATABLE,
          Anomaly.NOT_MONOTONIC,
          Anomaly.OWN_WRITE_MISSED,
          Anomaly.ABORTED,
          Anomaly.INTERMEDIATE,
          Anomaly.THIN_AIR);

  @TempDir private static Path dir;

  private final long seed = TestRun.seed();
  private FaultCluster cluster;
  private List<Process> servers = List.of();

  @BeforeAll
  void start(LocalCluster nodes) throws IOException {
    cluster = new FaultCluster(nodes);
    servers = LoadArenas.startServers();
  }

  @AfterAll
  void stopServers() {
    servers.forEach(Process::destroyForcibly);
  }

  @Test
  @Order(1)
  void nodesAndClientsAreKilledAndNothingIsFracturedOrLost() throws Exception {
    cluster.create("killed");
    try (Campaign campaign = new Campaign("killed", "killed", HISTORIES, seed)) {
      campaign.start(PROCESSES, cluster.nodes(), MIXED, false, LONG ? 60 : 21);
      campaign.await(LONG ? 600 : 100);
      if (LONG) {
        killUntil(campaign, WANTED);
      } else {
        kill(campaign, 2, false);
      }
      campaign.await(FEW);
      campaign.say("beside the load: " + clearLeftovers());
      campaign.stop();
      if (LoadArenas.directory().isPresent()) {
        campaign.say(
            String.format(
                "%,d keys from arenas, %,d asked for",
                campaign.tally().of(Count.ARENA_HITS), campaign.tally().of(Count.ARENA_ASKED)));
        assertThat(campaign.tally().of(Count.ARENA_HITS)).isPositive();
      }
      assertThat(campaign.halts()).isPositive();
      LeftoverCounts cleared = clearLeftovers();
      campaign.say("at rest: " + cleared);
      assertThat(cleared.failed()).as("%s", cleared.firstFailure()).isZero();
      assertThat(cleared.collected()).isPositive();
      lookAtRest(campaign);
      campaign.requireNone(TransactionChecks.all());
      assertThat(campaign.tally().of(Count.GETS_LOST)).isZero();
    }
  }

  private void killUntil(Campaign campaign, long transactions) throws IOException {
    Random random = new Random(seed);
    Instant began = Instant.now();
    for (int round = 1;
        campaign.tally().transactions() < transactions
            && Duration.between(began, Instant.now()).compareTo(MOST) < 0;
        round++) {
      LoadArenas.killServer(servers, 1 + random.nextInt(3));
      kill(campaign, 1 + random.nextInt(3), round % 4 == 0);
      campaign.await(Math.max(BETWEEN_FAULTS, transactions / FAULTS));
      campaign.say(
          String.format(
              "%d transactions after %d s and %d faults: %s",
              campaign.tally().transactions(),
              Duration.between(began, Instant.now()).toSeconds(),
              round,
              campaign.tally().availability()));
    }
  }

  private void kill(Campaign campaign, int node, boolean replace) throws IOException {
    cluster.kill(node);
    Tally before = campaign.tally();
    campaign.await(FEW);
    Tally after = campaign.tally();
    assertThat(after.putsFailed() - before.putsFailed())
        .as("puts that failed while two of three replicas were up: %s, then %s", before, after)
        .isLessThanOrEqualTo((after.of(Count.PUTS) - before.of(Count.PUTS)) / 3);
    if (replace) {
      cluster.replace(node);
    } else {
      cluster.restart(node);
    }
    campaign.await(FEW);
    cluster.repair(node, "killed");
  }

  /** Of clients that died, and of those that were too busy until now. */
  private LeftoverCounts clearLeftovers() {
    try (CqlSession cql = cluster.connect();
        SkewedEnvironment exact = new SkewedEnvironment(Duration.ZERO)) {
      return Load.collectLeftovers(cql, "killed", exact);
    }
  }

  private void lookAtRest(Campaign campaign) throws IOException {
    try (CqlSession cql = cluster.connect()) {
      campaign.lastLook().log(cql, BOTH);
    }
  }

  @Test
  @Tag("long")
  @Order(2)
  void withoutHintsAndRepairNothingIsFracturedOrLost() throws Exception {
    cluster.create("unrepaired");
    cluster.hints(false);
    try (Campaign campaign = new Campaign("unrepaired", "unrepaired", HISTORIES, seed)) {
      campaign.start(MORE_PROCESSES, cluster.nodes(), MIXED, false, 100);
      campaign.await(200 * MORE);
      cluster.kill(3);
      campaign.await(300 * MORE);
      cluster.restart(3);
      campaign.await(300 * MORE);
      campaign.stop();
      lookAtRest(campaign);
      campaign.requireNone(TransactionChecks.all());
      assertThat(campaign.tally().of(Count.GETS_LOST)).isZero();
    } finally {
      cluster.hints(true);
    }
  }

  /**
   * What was written while node 3 was away and node 2 has forgotten is at one replica only: quorums
   * miss it, readers who see a part of it must not.
   */
  @Test
  @Tag("long")
  @Order(3)
  void whatAnOlderSnapshotLacksIsNeverReadInHalves() throws Exception {
    cluster.create("restored");
    cluster.hints(false);
    try (Campaign campaign = new Campaign("restored", "restored", HISTORIES, seed)) {
      campaign.start(MORE_PROCESSES, cluster.nodes(), RESTORED, false, 0);
      campaign.await(200 * MORE);
      cluster.snapshot(2, "restored", "older");
      cluster.kill(3);
      campaign.await(300 * MORE);
      campaign.stop();
      cluster.restart(3);
      cluster.restore(2, "restored", "older");
      campaign.start(MORE_PROCESSES, cluster.nodes(), RESTORED, false, 0);
      campaign.await(400 * MORE);
      campaign.stop();
      try (CqlSession cql = cluster.connect()) {
        campaign.lastLook().log(cql, List.of(ConsistencyLevel.ALL));
      }
      Set<Anomaly> wanted = EnumSet.copyOf(OF_READS);
      wanted.add(Anomaly.LOST);
      campaign.requireNone(wanted);
      assertThat(campaign.tally().of(Count.GETS_LOST)).isZero();
    } finally {
      cluster.hints(true);
    }
  }

  @Test
  @Order(4)
  void whatIsReallyLostIsNamedAndHealed() throws Exception {
    cluster.create("lost");
    try (CqlSession cql = cluster.connect();
        Campaign campaign = new Campaign("lost", "lost", HISTORIES, seed)) {
      // Nobody dies here, so it need be no process.
      campaign.runHere(cql, Mode.FAST, FEW);
      for (int number = 1; number <= 3; number++) {
        cluster.snapshot(number, "lost", "older");
      }
      campaign.runHere(cql, Mode.FAST, FEW);
      cluster.importEverywhere("lost", LoadKeys.TABLE, "older", dir);
      LossReport loss = LossReport.heal(cql, "lost");
      campaign.say(loss.toString());
      assertThat(loss.healed()).isNotEmpty();
      assertThat(loss.stillThere()).as("keys said to be lost").isEmpty();
      assertThat(loss.healed().size()).isLessThanOrEqualTo(loss.lostVersions());
      campaign.lastLook().log(cql, BOTH);
      campaign.runHere(cql, Mode.FAST, FEW);
      assertThat(campaign.tally().of(Count.GETS_LOST)).isZero();
    }
  }

  /** Only counted: this is what stock Cassandra has, and what transactions are for. */
  @Test
  @Tag("long")
  @Order(5)
  void readersOfLoggedBatchesSeeHalves() throws Exception {
    cluster.create("batched");
    try (Campaign campaign = new Campaign("batched", "batched", HISTORIES, seed)) {
      campaign.start(2, cluster.nodes(), MIXED, true, 0);
      campaign.await(LONG ? Math.min(WANTED, 20_000) : 600);
      campaign.stop();
      HistoryReport report = campaign.check(Set.of(Anomaly.FRACTURED));
      campaign.say(
          String.format(
              "LOGGED BATCH: %d fractures in %d reads",
              report.count(Anomaly.FRACTURED), report.gets()));
      assertThat(report.gets()).isPositive();
    }
  }
}
