/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.contract.OpenedEngine;
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

/** What an operator's server is asked for, and what of it is refused. */
class OperatorRedisTest {
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final Duration MAX_CALL = Duration.ofSeconds(2);
  private static OperatedRedis server;

  @TempDir private static Path serverDirectory;
  @TempDir private Path dir;

  @BeforeAll
  static void start() throws Exception {
    server = OperatedRedis.start(serverDirectory, hasTls(serverDirectory));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** Whether the program was built with it. */
  static boolean hasTls(Path directory) throws Exception {
    Process tried =
        new ProcessBuilder(
                RedisExecutable.find(directory.resolve("bin")).toString(),
                "--tls-port",
                "0",
                "--port",
                "0",
                "--save",
                "")
            .redirectErrorStream(true)
            .directory(directory.toFile())
            .start();
    try {
      byte[] said = new byte[4_096];
      int length = tried.getInputStream().read(said);
      return length < 0 || !new String(said, 0, length, UTF_8).contains("FATAL CONFIG");
    } finally {
      tried.destroyForcibly().waitFor();
    }
  }

  private Engine open(String directory, EngineServer address) {
    EngineOptions own = OpenedEngine.options(dir.resolve(directory), CAPACITY_BYTES);
    return RedisEngine.open(
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
    EngineServer address = server.database("1");
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
          .as("nobody knows whether a change on the lost connection was applied")
          .isThrownBy(() -> table.apply(put("two")))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
      table.apply(put("two"));
      assertThat(get(table, "two")).containsExactly(1);
      assertThat(engine.usage().capacityBytes()).isEqualTo(2L << 30);
    }
  }

  @Test
  void aDatabaseHasOneNode() {
    EngineServer address = server.database("2");
    open("a", address).close();
    assertRefused("b", address, "database 2", "belongs to the node whose mark is");
    open("a", address).close();
  }

  @Test
  void aDatabaseWithOtherKeysIsRefusedAndKeepsThem() throws Exception {
    server.call("SET", "v7", "mine"); // in database 0
    assertRefused("a", server.database("0"), "what Kasane did not put there");
    assertThat(RedisWords.text(server.call("GET", "v7"))).isEqualTo("mine");
  }

  @Test
  void settingsThatWouldLoseChangesAreRefused() throws Exception {
    String[][] settings = {
      {"appendonly", "no", "yes"},
      {"appendfsync", "everysec", "always"},
      {"maxmemory-policy", "allkeys-lru", "noeviction"},
      {"maxmemory", "0", "2147483648"}
    };
    for (String[] each : settings) {
      server.call("CONFIG", "SET", each[0], each[1]);
      assertRefused("a", server.database("3"), each[0] + " is " + each[1]);
      server.call("CONFIG", "SET", each[0], each[2]);
    }
    open("a", server.database("3")).close();
  }

  @Test
  void settingsAreLookedAtAgainWhenTheServerWasLost() throws Exception {
    try (Engine engine = open("a", server.database("4"))) {
      EngineTable table = engine.table("t");
      server.call("CONFIG", "SET", "appendfsync", "no");
      server.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      assertThatExceptionOfType(EngineException.class)
          .isThrownBy(
              () -> {
                for (int i = 0; i < 3; i++) {
                  try {
                    table.apply(put("one"));
                  } catch (EngineException e) {
                    if (e.kind() != Kind.UNREACHABLE) {
                      throw e;
                    }
                  }
                }
              })
          .satisfies(e -> assertThat(e.getMessage()).contains("appendfsync is no"));
      server.call("CONFIG", "SET", "appendfsync", "always");
      table.apply(put("one"));
    }
  }

  @Test
  void aStoppedServerHoldsNobodyForLongerThanACallMayTake() throws Exception {
    try (Engine engine = open("a", server.database("5"))) {
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
    EngineServer good = server.database("6");
    assertRefused("a", server.database("six"), "is not a number");
    assertRefused("a", server.database("77"), "out of range");
    if (good.isEncrypted()) {
      assertRefused(
          "a",
          new EngineServer(
              good.host(),
              good.port(),
              good.database(),
              good.user(),
              good.passwordFile(),
              true,
              Optional.empty()),
          "ertificat");
    }
    Path wrong = dir.resolve("wrong");
    Files.writeString(wrong, "guess");
    Files.setPosixFilePermissions(wrong, PosixFilePermissions.fromString("rw-------"));
    assertRefused(
        "a",
        new EngineServer(
            good.host(),
            good.port(),
            good.database(),
            good.user(),
            Optional.of(wrong),
            good.isEncrypted(),
            good.certificates()),
        "WRONGPASS");
  }
}
