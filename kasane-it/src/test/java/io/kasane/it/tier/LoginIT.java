/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import io.kasane.cli.Kasane;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.node.Rack;
import io.kasane.testkit.TestKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The command line against a node of a real cluster: with passwords, permissions, TLS on a port of
 * its own, and a data centre of another name.
 */
@Tag("node")
class LoginIT {
  private static final String SECRET = "patient-4711";
  private static final String PASSWORD = "w#tch;er $1";
  private static final int TLS_PORT = 9142;
  private static final String DATA_CENTRE = "tokyo";

  @TempDir private static Path dir;
  private static LocalNode node;
  private static TestKeys keys;
  private static CqlSession superuser;
  private static Path passwordFile;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    keys = TestKeys.make(dir, "server", "dns:cassandra.example");
    node = Tiered.oneNode(dir.resolve("nodes"), LoginIT::secured).start().node(1);
    superuser = connect();
    superuser.setSchemaMetadataEnabled(false);
    superuser.execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', '"
            + DATA_CENTRE
            + "': 1}");
    superuser.execute(
        "CREATE TABLE k.secret (id text PRIMARY KEY) WITH compaction = " + Tiered.strategy());
    superuser.execute("INSERT INTO k.secret (id) VALUES (?)", SECRET);
    for (int i = 0; i < 400; i++) { // one read in 32 tells the key
      superuser.execute("SELECT id FROM k.secret WHERE id = ?", SECRET);
    }
    superuser.execute("CREATE ROLE watcher WITH PASSWORD = '" + PASSWORD + "' AND LOGIN = true");
    passwordFile = secret("password", PASSWORD + "\n");
  }

  private static void secured(NodeSettings.Builder settings) {
    settings
        .heap("600m")
        .in(new Rack(DATA_CENTRE, "r1"))
        .yaml("authenticator", "PasswordAuthenticator")
        .yaml("authorizer", "CassandraAuthorizer")
        .yaml("permissions_validity", "100ms")
        .yaml("native_transport_port_ssl", TLS_PORT)
        .yaml(
            "client_encryption_options",
            Map.of(
                "enabled",
                true,
                "optional",
                false,
                "keystore",
                keys.keystore().toString(),
                "keystore_password",
                TestKeys.PASSWORD));
  }

  @AfterAll
  static void stop() {
    if (superuser != null) {
      superuser.close();
    }
    node.kill9();
  }

  private static Path secret(String name, String text) throws Exception {
    Path file = Files.writeString(dir.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** The first superuser is made some time after the node serves. */
  private static CqlSession connect() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsInstanceOf(AuthenticationException.class)
        .ignoreExceptionsInstanceOf(AllNodesFailedException.class)
        .until(
            () ->
                CqlSession.builder()
                    .addContactPoint(
                        new InetSocketAddress(
                            node.settings().address(), node.settings().nativePort()))
                    .withLocalDatacenter(DATA_CENTRE)
                    .withAuthCredentials("cassandra", "cassandra")
                    .build(),
            session -> true);
  }

  private int kasane(String... arguments) {
    CommandLine commandLine = Kasane.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  private String[] at(String command, int port, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
    arguments.addAll(
        List.of("--host", node.settings().address(), "--port", Integer.toString(port)));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private String[] asWatcher(String command, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of(at(command, node.settings().nativePort(), more)));
    arguments.addAll(List.of("-u", "watcher", "--password-file", passwordFile.toString()));
    return arguments.toArray(String[]::new);
  }

  private void requireOneLine(String... words) {
    assertThat(err.toString()).startsWith("kasane: ").contains(words).doesNotContain("\tat ");
    assertThat(err.toString().strip().lines()).hasSize(1);
  }

  @Test
  void viewsShowNoKeysWherePermissionsAreAsked() {
    assertThat(
            superuser
                .execute(
                    "SELECT key FROM kasane_views.hottest_keys WHERE keyspace_name = 'k' AND"
                        + " table_name = 'secret'")
                .map(row -> row.getString("key"))
                .all())
        .isNotEmpty()
        .allMatch(key -> key.matches("token -?\\d+"));
  }

  @Test
  void aRoleLooksOnceItMayAndNoLonger() {
    String[] heat = asWatcher("heat k.secret", "--interval", "0");
    assertThat(kasane(heat)).isEqualTo(1);
    requireOneLine("watcher has no SELECT permission", "kasane grants");

    assertThat(kasane(asWatcher("grants --role watcher"))).isZero();
    List<String> grants = out.toString().lines().toList();
    assertThat(grants)
        .contains(
            "GRANT SELECT ON kasane_views.tables TO watcher;",
            "GRANT SELECT ON system_views.settings TO watcher;");
    grants.forEach(superuser::execute);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> kasane(heat) == 0);
    assertThat(kasane(asWatcher("status"))).as("%s%s", out, err).isZero();
    assertThat(out.toString()).contains("k.secret", "Cassandra 5.0.", "READS FROM FAST");
    assertThat(kasane(asWatcher("doctor"))).as("%s%s", out, err).isZero();
    assertThat(out.toString()).contains("commitlog_sync is periodic");

    out.getBuffer().setLength(0);
    assertThat(kasane(asWatcher("grants --role watcher --revoke"))).isZero();
    List<String> revokes = out.toString().lines().toList();
    assertThat(revokes).hasSameSizeAs(grants).allMatch(line -> line.startsWith("REVOKE SELECT "));
    revokes.forEach(superuser::execute);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> kasane(heat) == 1);
  }

  @Test
  void theFilesOfCqlshAreEnough() throws Exception {
    Path cqlshrc =
        Files.writeString(
            dir.resolve("cqlshrc"),
            "[connection]\nhostname = "
                + node.settings().address()
                + "\nport = "
                + TLS_PORT
                + "\nssl = true\n[ssl]\ncertfile = "
                + keys.certificate()
                + "\n[authentication]\ncredentials = "
                + secret(
                    "credentials",
                    "[PlainTextAuthProvider]\nusername = cassandra\npassword = cassandra\n")
                + "\n");
    assertThat(
            kasane("heat", "k.secret", "--json", "--cqlshrc", cqlshrc.toString(), "--tls-any-name"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("\"table\" : \"k.secret\"", "\"fast_quota_bytes\"", "\"hottest_keys\"")
        .doesNotContain("NaN");
  }

  @Test
  void aWrongPasswordIsCalledSo() throws Exception {
    String[] heat = at("heat k.secret", node.settings().nativePort(), "-u", "watcher");
    List<String> arguments = new ArrayList<>(List.of(heat));
    arguments.addAll(List.of("--password-file", secret("wrong", "guess").toString()));
    assertThat(kasane(arguments.toArray(String[]::new))).isEqualTo(1);
    requireOneLine("refused the user 'watcher'", "wrong password");
  }

  @Test
  void nobodyIsCalledSo() throws Exception {
    String nothing = secret("nothing", "").toString();
    assertThat(
            kasane(
                at(
                    "heat k.secret",
                    node.settings().nativePort(),
                    "--cqlshrc",
                    nothing,
                    "--credentials",
                    nothing)))
        .isEqualTo(1);
    requireOneLine("wants a user and a password");
  }

  @Test
  void aPasswordFileThatOthersReadIsRefused() throws Exception {
    Path file = Files.writeString(dir.resolve("open"), PASSWORD);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(
            kasane(
                at("heat k.secret", TLS_PORT, "-u", "watcher", "--password-file", file.toString())))
        .isEqualTo(1);
    requireOneLine("chmod 600");
  }

  @Test
  void aCertificateOfAnotherNameIsRefused() {
    assertThat(kasane(at("status", TLS_PORT, "--tls-ca", keys.certificate().toString())))
        .isEqualTo(1);
    requireOneLine("a certificate of another name", "--tls-any-name");
  }

  @Test
  void aCertificateThatNobodySignedIsRefused() {
    assertThat(kasane(at("status", TLS_PORT, "--tls"))).isEqualTo(1);
    requireOneLine("nobody signed who is trusted here", "--tls-ca");
  }

  @Test
  void aPortWithoutTlsIsCalledSo() {
    assertThat(kasane(at("status", node.settings().nativePort(), "--tls"))).isEqualTo(1);
    requireOneLine("does not speak TLS");
  }

  @Test
  void aPortWithTlsIsCalledSo() {
    assertThat(kasane(at("status", TLS_PORT))).isEqualTo(1);
    requireOneLine("it may speak TLS only");
  }

  @Test
  void aPortWhereNobodyListensIsCalledSo() {
    assertThat(kasane(at("status", 1))).isEqualTo(1);
    requireOneLine("nothing listens on");
  }

  @Test
  void aHostThatThereIsNotIsCalledSo() {
    assertThat(kasane("status", "--host", "no-such-host.invalid")).isEqualTo(1);
    requireOneLine("no-such-host.invalid is no host that this machine knows");
  }
}
