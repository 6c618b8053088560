/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.server.OperatedServer;
import io.kasane.engine.server.OperatorContract;
import io.kasane.engine.server.TestCertificate;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.Connection;

/** What an operator's server is asked for, and what of it is refused. */
class OperatorMariadbTest extends OperatorContract {
  private static OperatedMariadb server;

  @TempDir private static Path serverDirectory;

  @BeforeAll
  static void start() throws Exception {
    server = OperatedMariadb.start(serverDirectory);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  protected OperatedServer server() {
    return server;
  }

  @Override
  protected Engine open(EngineOptions options, Duration maxCall) {
    return InnodbEngine.open(
        () -> {
          throw new AssertionError("a server of its own");
        },
        options,
        maxCall);
  }

  @Test
  void aSchemaWithOtherTablesIsRefusedAndKeepsThem() throws Exception {
    try (Connection root = server.root()) {
      SqlConnections.execute(root, "CREATE DATABASE kasane_used");
      SqlConnections.execute(root, "CREATE TABLE kasane_used.t_1 (a INT)");
      assertRefused("a", server.schema("kasane_used"), "what Kasane did not put there");
      SqlConnections.execute(root, "SELECT a FROM kasane_used.t_1");
    }
  }

  @Test
  void settingsThatWouldLoseChangesAreRefused() throws Exception {
    try (Connection root = server.root()) {
      for (String bad :
          new String[] {"innodb_flush_log_at_trx_commit = 2", "max_allowed_packet = 16777216"}) {
        String name = bad.substring(0, bad.indexOf(' '));
        long before = OperatorMariadb.number(root, "SELECT @@GLOBAL." + name);
        SqlConnections.execute(root, "SET GLOBAL " + bad);
        assertRefused("a", server.schema("kasane_settings"), name + " is ", "must be");
        SqlConnections.execute(root, "SET GLOBAL " + name + " = " + before);
      }
    }
    open("a", server.schema("kasane_settings")).close();
  }

  @Test
  void aConnectionThatADeadProcessHasLeftIsEnded() throws Exception {
    EngineServer address = server.schema("kasane_left");
    open("a", address).close();
    try (Connection left = server.account()) {
      SqlConnections.execute(left, "USE kasane_left");
      assertThat(OperatorMariadb.number(left, "SELECT GET_LOCK('kasane.kasane_left', 0)")).isOne();
      try (Engine engine = open("a", address)) {
        engine.table("t").apply(put("one"));
      }
    }
  }

  @Test
  void whoeverIsRefusedIsToldWhy() throws Exception {
    EngineServer good = server.schema("kasane_refused");
    Path wrong = OperatedServer.passwordFile(dir.resolve("wrong"), "guess");
    assertRefused("a", with(good, wrong, good.certificates(), true), "Access denied");
    Path open = OperatedServer.passwordFile(dir.resolve("open"), "guess");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused("a", with(good, open, good.certificates(), true), "chmod 600");
    Path right = good.passwordFile().orElseThrow();
    TestCertificate other = TestCertificate.make(Files.createDirectory(dir.resolve("other")));
    assertRefused("a", with(good, right, Optional.of(other.certificate()), true), "PKIX path");
    assertRefused("a", server.schema("kasane`; DROP"), "letters, digits and underscores");
    assertRefused("a", server.schema("other"), "ccess denied");
    // The server shows that it knows the password, and so whose certificate that is.
    open("a", with(good, right, Optional.empty(), true)).close();
    open("a", with(good, right, Optional.empty(), false)).close();
  }
}
