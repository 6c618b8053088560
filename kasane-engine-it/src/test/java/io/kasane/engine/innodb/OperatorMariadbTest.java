/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.contract.OpenedEngine;
import io.kasane.engine.server.TestCertificate;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineServer;
import io.kasane.engine.spi.EngineTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.Connection;

/** What an operator's server is asked for, and what of it is refused. */
class OperatorMariadbTest {
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final Duration MAX_CALL = Duration.ofSeconds(2);
  private static OperatedMariadb server;

  @TempDir private static Path serverDirectory;
  @TempDir private Path dir;

  @BeforeAll
  static void start() throws Exception {
    server = OperatedMariadb.start(serverDirectory);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private Engine open(String directory, EngineServer address) {
    EngineOptions own = OpenedEngine.options(dir.resolve(directory), CAPACITY_BYTES);
    return InnodbEngine.open(
        () -> {
          throw new AssertionError("a server of its own");
        },
        new EngineOptions(
            own.directory(),
            own.capacityBytes(),
            own.memoryBytes(),
            own.durability(),
            Optional.of(address)),
        MAX_CALL);
  }

  private static EngineBatch put(String key) {
    EngineBatch batch = new EngineBatch();
    batch.put(key.getBytes(UTF_8), new byte[] {1});
    return batch;
  }

  private static byte[] get(EngineTable table, String key) {
    return table.getAll(List.of(key.getBytes(UTF_8))).get(0);
  }

  private void assertRefused(String directory, EngineServer address, String... said) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> open(directory, address).close())
        .satisfies(e -> assertThat(e.getMessage()).contains(said));
  }

  @Test
  void whatWasWrittenIsThereWhenItIsOpenedAgainAndWhenTheServerIsStartedAgain() throws Exception {
    EngineServer address = server.schema("kasane_again");
    try (Engine engine = open("a", address)) {
      engine.table("t").apply(put("one"));
    }
    try (Engine engine = open("a", address)) {
      EngineTable table = engine.table("t");
      assertThat(get(table, "one")).containsExactly(1);
      server.kill9();
      server.begin();
      assertThat(get(table, "one")).containsExactly(1);
      assertThatExceptionOfType(EngineException.class)
          .as("nobody knows whether a change on the lost connection was made")
          .isThrownBy(() -> table.apply(put("two")))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
      table.apply(put("two"));
      assertThat(get(table, "two")).containsExactly(1);
    }
  }

  @Test
  void aSchemaHasOneNode() {
    EngineServer address = server.schema("kasane_one");
    open("a", address).close();
    assertRefused("b", address, "kasane_one", "belongs to the node whose mark is");
    open("a", address).close();
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
  void aStoppedServerHoldsNobodyForLongerThanACallMayTake() throws Exception {
    try (Engine engine = open("a", server.schema("kasane_stopped"))) {
      EngineTable table = engine.table("t");
      table.apply(put("one"));
      signal("STOP");
      try {
        long began = System.nanoTime();
        assertThatExceptionOfType(EngineException.class)
            .isThrownBy(() -> table.apply(put("two")))
            .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        assertThatExceptionOfType(EngineException.class).isThrownBy(() -> get(table, "one"));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isLessThan(MAX_CALL.multipliedBy(4));
      } finally {
        signal("CONT");
      }
      assertThat(get(table, "one")).containsExactly(1);
      table.apply(put("two"));
      assertThat(get(table, "two")).containsExactly(1);
    }
  }

  private static void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(server.process().pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  @Test
  void whoeverIsRefusedIsToldWhy() throws Exception {
    EngineServer good = server.schema("kasane_refused");
    Path wrong = OperatedMariadb.passwordFile(dir.resolve("wrong"), "guess");
    assertRefused("a", with(good, wrong, good.certificates(), true), "Access denied");
    Path open = OperatedMariadb.passwordFile(dir.resolve("open"), "guess");
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

  private static EngineServer with(
      EngineServer server, Path password, Optional<Path> certificates, boolean isEncrypted) {
    return new EngineServer(
        server.host(),
        server.port(),
        server.database(),
        server.user(),
        Optional.of(password),
        isEncrypted,
        certificates);
  }
}
