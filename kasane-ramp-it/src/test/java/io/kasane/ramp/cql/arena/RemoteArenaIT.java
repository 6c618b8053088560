/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.Ports;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.server.RdmaMain;
import io.kasane.rdma.ucx.UcxSupport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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

/** First rounds from the process beside a node, over TCP, and out of its memory by OpenUCX. */
@Tag("node")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RemoteArenaIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int KILLS = Integer.getInteger("kasane.rdma.kills", 5);
  private static final int KEYS = 100;
  private static final String ADMIN = "cassandra";

  @TempDir private static Path dir;
  private int port;
  private LocalCluster cluster;
  private LocalNode node;
  private Process beside;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void start() throws IOException {
    port = Ports.freeLoopbackPorts(1).get(0);
    cluster =
        RampNodes.of(
            1,
            dir.resolve("nodes"),
            settings ->
                settings
                    .withKasane(true)
                    .syncEveryWrite()
                    .yaml("authenticator", "PasswordAuthenticator")
                    .yaml("authorizer", "CassandraAuthorizer")
                    .kasaneYaml(
                        "arenas",
                        Map.of(
                            "directory",
                            arenas().toString(),
                            "server",
                            "127.0.0.1:" + port,
                            "tables",
                            Map.of("shop.carts", "1MiB", "shop.other", "1MiB"))));
    node = cluster.start().node(1);
    cql = login(ADMIN);
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    begin();
    session = session(cql);
  }

  private CqlSession login(String role) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> RampNodes.connectAlone(node, role), each -> true);
  }

  private static Path arenas() {
    return dir.resolve("arenas");
  }

  private static RampSession session(CqlSession cql) {
    return session(cql, RemoteTransport.tcp());
  }

  private static RampSession session(CqlSession cql, RemoteTransport transport) {
    return RampSession.builder(cql, "shop")
        .options(RampOptions.defaults().withDeadline(Duration.ofSeconds(5)))
        .remoteArenas(Duration.ofMillis(200), transport)
        .build();
  }

  private void begin() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Distribution.javaLauncher().toString(),
                "-Xmx64m",
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-Dkasane.ucx.tls=" + System.getProperty("kasane.ucx.tls", "all"),
                "-cp",
                System.getProperty("java.class.path"),
                RdmaMain.class.getName(),
                "--arenas",
                arenas().toString(),
                "--listen",
                "127.0.0.1:" + port));
    if (UcxSupport.whyNotMemory().isEmpty()) {
      command.add("--memory");
    }
    beside = new ProcessBuilder(command).inheritIO().start();
  }

  @AfterAll
  void stop() {
    session.close();
    cql.close();
    beside.destroyForcibly();
    cluster.kill9();
    DirectoryUse.delete(dir.resolve("nodes"));
  }

  private RampTable<Long, Long> table(RampSession of) {
    return of.table("carts", Codecs.int64(), Codecs.int64());
  }

  private static Map<Long, Long> values(long value) {
    return LongStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> value));
  }

  private static ArenaMetrics metrics(RampSession of) {
    return of.metrics().remoteArenas().orElseThrow();
  }

  private void awaitHits(RampSession of, Map<Long, Long> right) {
    RampTable<Long, Long> table = table(of);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              long before = metrics(of).hits();
              assertThat(of.newSession().getAll(table, right.keySet())).isEqualTo(right);
              assertThat(metrics(of).hits() - before).isEqualTo(KEYS);
            });
  }

  @Test
  @Order(1)
  void whatIsReadOftenIsAnsweredFromMemoryAndIsTheLatest() {
    RampTable<Long, Long> table = table(session);
    for (long value = 1; value < 10; value++) {
      session.put(table, values(value));
      assertThat(session.newSession().getAll(table, values(0).keySet())).isEqualTo(values(value));
      awaitHits(session, values(value));
    }
  }

  @Test
  @Order(2)
  void itsProcessMayBeKilledAtAnyTime() throws Exception {
    session.put(table(session), values(50));
    for (int kill = 0; kill < KILLS; kill++) {
      awaitHits(session, values(50));
      beside.destroyForcibly().waitFor();
      assertThat(session.newSession().getAll(table(session), values(0).keySet()))
          .isEqualTo(values(50));
      begin();
    }
    awaitHits(session, values(50));
  }

  /** The tokens of before end with the node, and its arenas. */
  @Test
  @Order(3)
  void itsNodeMayBeKilled() {
    session.put(table(session), values(60));
    awaitHits(session, values(60));
    node.kill9();
    node.start().waitUntilReady();
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(session.newSession().getAll(table(session), values(0).keySet()))
                    .isEqualTo(values(60)));
    awaitHits(session, values(60));
  }

  /** A GRANT of that table's tokens decides. */
  @Test
  @Order(4)
  void whoeverMayNotSelectTokensReadsByCql() {
    cql.execute("CREATE ROLE reader WITH PASSWORD = 'reader' AND LOGIN = true");
    cql.execute("GRANT SELECT ON KEYSPACE shop TO reader");
    cql.execute("GRANT MODIFY ON KEYSPACE shop TO reader");
    try (CqlSession other = login("reader")) {
      assertThatExceptionOfType(UnauthorizedException.class)
          .isThrownBy(() -> other.execute("SELECT admission FROM kasane_arenas.shop_carts"));
      try (RampSession reads = session(other)) {
        assertThat(reads.getAll(table(reads), values(0).keySet())).isEqualTo(values(60));
        assertThat(metrics(reads).hits()).isZero();
        cql.execute("GRANT SELECT ON kasane_arenas.shop_carts TO reader");
        awaitHits(reads, values(60));
      }
      assertThatExceptionOfType(UnauthorizedException.class)
          .isThrownBy(() -> other.execute("SELECT admission FROM kasane_arenas.shop_other"));
    }
  }

  /** Whoever reads memory can write there, so that this is another GRANT. */
  @Test
  @Order(5)
  void whoeverMayReadsMemoryByItself() {
    assumeTrue(UcxSupport.whyNotMemory().isEmpty());
    cql.execute("CREATE ROLE writer WITH PASSWORD = 'writer' AND LOGIN = true");
    cql.execute("GRANT SELECT ON KEYSPACE shop TO writer");
    cql.execute("GRANT MODIFY ON KEYSPACE shop TO writer");
    cql.execute("GRANT SELECT ON kasane_arenas.shop_carts TO writer");
    try (CqlSession other = login("writer")) {
      try (RampSession reads = session(other, RemoteTransport.tcp().preferringMemory())) {
        awaitHits(reads, values(60));
        awaitHits(reads, values(60));
        assertThat(metrics(reads).oneSided()).isZero();
      }
      cql.execute("GRANT SELECT ON kasane_arena_memory.shop_carts TO writer");
      Awaitility.await() // nodes keep permissions for a while
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(
              () -> other.execute("SELECT host FROM kasane_arena_memory.shop_carts").one() != null);
      try (RampSession reads = session(other, RemoteTransport.tcp().preferringMemory())) {
        for (long value = 61; value < 70; value++) {
          awaitHits(reads, values(value - 1));
          session.put(table(session), values(value));
          assertThat(reads.newSession().getAll(table(reads), values(0).keySet()))
              .isEqualTo(values(value));
        }
        assertThat(metrics(reads).oneSided()).isPositive();
      }
    }
  }
}
