/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.it.node.InstalledNode.Layout;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.node.Rack;
import io.kasane.testkit.StockTools;
import io.kasane.testkit.TestKeys;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cluster of three with data, passwords and TLS, and clients that go on all the while: Kasane
 * comes, helps, is upgraded and goes. {@link InstallIT} is the short form.
 */
@Tag("node")
@Tag("long")
class RehearsalIT {
  private static final int NODES = 3;
  private static final int ROWS = 3_000;
  private static final String DATA_CENTRE = "tokyo";
  private static final String NEXT = "0.1.1-rehearsal";
  private static final String STOCK = "SizeTieredCompactionStrategy";
  private static final String TIERED = "io.kasane.tier.HeatTieredCompactionStrategy";

  @TempDir private Path dir;
  private TestKeys keys;
  private Path password;
  private SSLContext trust;
  private final List<InstalledNode> nodes = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(Layout.class)
  void kasaneComesHelpsAndGoes(Layout layout) throws Exception {
    UnpackedRelease release = UnpackedRelease.in(dir.resolve("release"));
    UnpackedRelease next = UnpackedRelease.ofVersion(NEXT, dir.resolve("next"));
    prepare(layout);
    List<Map<String, String>> before = new ArrayList<>();
    for (InstalledNode node : nodes) {
      before.add(UnpackedRelease.files(root(node)));
    }
    try {
      // The first superuser is made when all are there.
      for (InstalledNode node : nodes) {
        node.launch();
      }
      awaitAll();
      for (InstalledNode node : nodes) {
        node.await(() -> connect(node.node())).close();
      }
      try (CqlSession session = connect(nodes.get(0).node())) {
        load(session);
      }
      long plain;
      try (RehearsalClients clients = clients()) {
        rolling("restart", node -> {});
        plain = clients.stop().failed();
        tell("plain rolling restart: " + clients);
      }
      try (RehearsalClients clients = clients()) {
        rolling("install", node -> install(release, node));
        requireVersion(release);
        alter(TIERED);
        awaitHelp(clients);
        release.kasane(0, at(nodes.get(0), "doctor"));
        tell("after the ALTER: " + release.kasane(0, at(nodes.get(0), "status")));
        rolling("upgrade", node -> install(next, node));
        assertThat(versions()).containsOnly(NEXT);
        alter(STOCK);
        for (InstalledNode node : nodes) {
          StockTools.nodetool(node.node(), "relocatesstables");
        }
        rolling("uninstall", node -> tell(next.kasane(0, command("uninstall", node))));
        RehearsalClients.Sums sums = clients.stop();
        tell("with Kasane coming and going: " + clients);
        assertThat(sums.wrong()).as(told.toString()).isZero();
        assertThat(sums.failed()).as(told.toString()).isLessThanOrEqualTo(plain);
        assertThat(sums.answered()).isPositive();
      }
      for (int i = 0; i < NODES; i++) {
        assertThat(UnpackedRelease.files(root(nodes.get(i)))).isEqualTo(before.get(i));
        try (CqlSession session = connect(nodes.get(i).node())) {
          requireAll(session);
        }
      }
    } finally {
      nodes.forEach(InstalledNode::kill9);
      told.forEach(System.out::println);
    }
  }

  private void tell(String line) {
    told.add(line.strip());
  }

  // ---- the cluster

  private void prepare(Layout layout) throws Exception {
    keys = TestKeys.make(dir, "server", "dns:cassandra.example");
    password = Files.writeString(dir.resolve("password"), "cassandra\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    trust = trust(keys);
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir.resolve("nodes"))
            .isolated()
            .nodes(NODES)
            .each(this::secured)
            .build();
    // Once without secrets, which the helper that starts them does not know; it writes settings.
    cluster.start().stop();
    for (LocalNode node : cluster.nodes()) {
      int number = node.settings().index();
      InstalledNode installed = InstalledNode.unpack(node, dir.resolve("machine" + number), layout);
      secure(installed.conf().resolve("cassandra.yaml"));
      nodes.add(installed);
    }
  }

  private void secured(NodeSettings.Builder settings) {
    settings
        .withKasane(false)
        .heap("512m")
        .in(new Rack(DATA_CENTRE, "r" + settings.build().index()))
        .yaml("data_file_directories", List.of(settings.build().slow().toString()));
  }

  private void secure(Path yaml) throws Exception {
    String text = Files.readString(yaml);
    assertThat(text).doesNotContain("client_encryption_options");
    Files.writeString(
        yaml,
        text.replaceFirst("(?m)^(\"?authenticator\"?|\"?authorizer\"?):.*\n", "")
            + "\nauthenticator: PasswordAuthenticator\n"
            + "authorizer: CassandraAuthorizer\n"
            + "client_encryption_options: {enabled: true, optional: false, keystore: '"
            + keys.keystore()
            + "', keystore_password: "
            + TestKeys.PASSWORD
            + "}\n");
  }

  private static SSLContext trust(TestKeys keys) throws Exception {
    KeyStore store =
        KeyStore.getInstance(keys.keystore().toFile(), TestKeys.PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("server"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private CqlSession connect(LocalNode... to) {
    var builder =
        CqlSession.builder()
            .withLocalDatacenter(DATA_CENTRE)
            .withAuthCredentials("cassandra", "cassandra")
            .withSslContext(trust);
    for (LocalNode node : to) {
      builder.addContactPoint(
          new InetSocketAddress(node.settings().address(), node.settings().nativePort()));
    }
    return builder.build();
  }

  private RehearsalClients clients() {
    return new RehearsalClients(
        connect(nodes.stream().map(InstalledNode::node).toArray(LocalNode[]::new)), ROWS);
  }

  private static Path root(InstalledNode node) {
    return node.conf().getParent().endsWith("etc")
        ? node.conf().getParent().getParent()
        : node.home();
  }

  private void awaitAll() {
    for (InstalledNode node : nodes) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(
              () -> {
                try (NodeJmx jmx = node.node().jmx()) {
                  return jmx.liveNodes() == NODES;
                }
              });
    }
  }

  // ---- the steps

  private interface Change {
    void make(InstalledNode node) throws Exception;
  }

  private void rolling(String name, Change change) throws Exception {
    long began = System.nanoTime();
    for (InstalledNode node : nodes) {
      StockTools.nodetool(node.node(), "drain");
      node.stop();
      change.make(node);
      node.start(() -> connect(node.node())).close();
      awaitAll();
    }
    tell("%s of all nodes: %d s".formatted(name, (System.nanoTime() - began) / 1_000_000_000));
  }

  private void install(UnpackedRelease release, InstalledNode node) throws Exception {
    List<String> words = new ArrayList<>(command("install", node));
    Path fast = dir.resolve("nvme" + node.node().settings().index() + "/cassandra");
    words.addAll(List.of("--fast", fast.toString(), "--quota", "40MiB"));
    tell(release.kasane(0, words));
  }

  private static List<String> command(String name, InstalledNode node) {
    return List.of(
        name, "--cassandra-home", node.home().toString(), "--conf", node.conf().toString());
  }

  private List<String> at(InstalledNode node, String command) {
    return List.of(
        command,
        "--host",
        node.node().settings().address(),
        "--port",
        Integer.toString(node.node().settings().nativePort()),
        "-u",
        "cassandra",
        "--password-file",
        password.toString(),
        "--tls",
        "--tls-ca",
        keys.certificate().toString(),
        "--tls-any-name");
  }

  private void requireVersion(UnpackedRelease release) throws Exception {
    String said = release.kasane(0, List.of("--version"));
    versions().forEach(version -> assertThat(said).contains(version));
  }

  private List<String> versions() {
    List<String> versions = new ArrayList<>();
    for (InstalledNode node : nodes) {
      try (CqlSession session = connect(node.node())) {
        versions.add(
            session
                .execute(
                    SimpleStatement.newInstance("SELECT kasane_version FROM kasane_views.node")
                        .setNode(itself(session, node)))
                .one()
                .getString(0));
      }
    }
    return versions;
  }

  private static Node itself(CqlSession session, InstalledNode node) {
    return session.getMetadata().getNodes().values().stream()
        .filter(
            each ->
                ((InetSocketAddress) each.getEndPoint().resolve())
                    .getAddress()
                    .getHostAddress()
                    .equals(node.node().settings().address()))
        .findFirst()
        .orElseThrow();
  }

  private void load(CqlSession session) throws Exception {
    session.execute(
        "ALTER KEYSPACE system_auth WITH replication = {'class': 'NetworkTopologyStrategy', '"
            + DATA_CENTRE
            + "': 3}");
    for (InstalledNode node : nodes) {
      StockTools.nodetool(node.node(), "repair", "--full", "system_auth");
    }
    session.execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', '"
            + DATA_CENTRE
            + "': 3}");
    session.execute(
        "CREATE TABLE k.t (id int PRIMARY KEY, version bigint, v text) WITH compaction ="
            + " {'class': '"
            + STOCK
            + "'}");
    awaitSchema(session);
    for (int id = 0; id < ROWS; id++) {
      session.execute(
          "INSERT INTO k.t (id, version, v) VALUES (?, 0, ?)", id, RehearsalClients.text(id));
    }
    for (InstalledNode node : nodes) {
      StockTools.nodetool(node.node(), "flush", "k");
    }
  }

  private void alter(String strategy) {
    try (CqlSession session = connect(nodes.get(0).node())) {
      session.execute("ALTER TABLE k.t WITH compaction = {'class': '" + strategy + "'}");
      awaitSchema(session);
    }
  }

  private static void awaitSchema(CqlSession session) {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(session::checkSchemaAgreement);
  }

  /** The clients' hot rows come to fast on each node. */
  private void awaitHelp(RehearsalClients clients) {
    for (InstalledNode node : nodes) {
      try (CqlSession session = connect(node.node())) {
        Awaitility.await()
            .atMost(Duration.ofMinutes(3))
            .until(() -> fastShare(session, node) > 0.3);
        tell(
            "%s: %.0f %% of the reads from fast"
                .formatted(node.node(), 100 * fastShare(session, node)));
      }
    }
    assertThat(clients.isRunning()).isTrue();
  }

  private static double fastShare(CqlSession session, InstalledNode node) {
    return session
        .execute(
            SimpleStatement.newInstance(
                    "SELECT fast_read_share FROM kasane_views.tables WHERE keyspace_name = 'k' AND"
                        + " table_name = 't'")
                .setNode(itself(session, node)))
        .one()
        .getDouble(0);
  }

  private static void requireAll(CqlSession session) {
    for (int id = 0; id < ROWS; id++) {
      assertThat(session.execute("SELECT v FROM k.t WHERE id = ?", id).one().getString("v"))
          .isEqualTo(RehearsalClients.text(id));
    }
  }
}
