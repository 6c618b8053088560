/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.server.OperatedServer;
import io.kasane.engine.server.OperatorContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineServer;
import io.kasane.engine.spi.EngineTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator's server is asked for, and what of it is refused. */
class OperatorRedisTest extends OperatorContract {
  private static OperatedRedis server;

  @TempDir private static Path serverDirectory;

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

  @Override
  protected OperatedServer server() {
    return server;
  }

  @Override
  protected Engine open(EngineOptions options, Duration maxCall) {
    return RedisEngine.open(
        () -> {
          throw new AssertionError("a server of its own");
        },
        options,
        maxCall);
  }

  @Test
  void theServersMemoryIsTheEnginesRoom() {
    try (Engine engine = open("a", server.database(FIRST_OTHER))) {
      assertThat(engine.usage().capacityBytes()).isEqualTo(2L << 30);
    }
  }

  @Test
  void aDatabaseWithOtherKeysIsRefusedAndKeepsThem() throws Exception {
    server.call("SET", "v7", "mine"); // in database 0
    assertRefused("a", server.database("0"), "what Kasane did not put there");
    assertThat(RedisWords.text(server.call("GET", "v7"))).isEqualTo("mine");
  }

  @Test
  void settingsThatWouldLoseChangesAreRefused() throws Exception {
    EngineServer address = server.database(FIRST_OTHER + 1);
    String[][] settings = {
      {"appendonly", "no", "yes"},
      {"appendfsync", "everysec", "always"},
      {"maxmemory-policy", "allkeys-lru", "noeviction"},
      {"maxmemory", "0", "2147483648"}
    };
    for (String[] each : settings) {
      server.call("CONFIG", "SET", each[0], each[1]);
      assertRefused("a", address, each[0] + " is " + each[1]);
      server.call("CONFIG", "SET", each[0], each[2]);
    }
    open("a", address).close();
  }

  @Test
  void settingsAreLookedAtAgainWhenTheServerWasLost() throws Exception {
    try (Engine engine = open("a", server.database(FIRST_OTHER + 2))) {
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
  void whoeverIsRefusedIsToldWhy() throws Exception {
    EngineServer good = server.database(FIRST_OTHER + 3);
    assertRefused("a", server.database("six"), "is not a number");
    assertRefused("a", server.database("77"), "out of range");
    if (good.isEncrypted()) {
      Path right = good.passwordFile().orElseThrow();
      assertRefused("a", with(good, right, Optional.empty(), true), "ertificat");
    }
    Path wrong = OperatedServer.passwordFile(dir.resolve("wrong"), "guess");
    assertRefused("a", with(good, wrong, good.certificates(), good.isEncrypted()), "WRONGPASS");
  }
}
