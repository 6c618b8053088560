/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static io.kasane.engine.contract.Entries.bytes;
import static io.kasane.engine.contract.Entries.get;
import static io.kasane.engine.contract.Entries.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.server.Signals;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server under the engine is killed, or stops. */
class RedisServerTest {
  private static final Duration MAX_CALL = Duration.ofSeconds(1);

  @TempDir private Path dir;
  private Engine engine;
  private EngineTable table;

  @BeforeEach
  void open() {
    EngineOptions options = new EngineOptions(dir, 1L << 30, 32L << 20, Durability.SYNC);
    engine = RedisEngine.open(() -> RedisExecutable.find(dir), options, MAX_CALL);
    table = engine.table("t");
    put(table, "a", "1");
  }

  @AfterEach
  void close() throws Exception {
    signal("CONT");
    engine.close();
  }

  private void signal(String signal) throws IOException, InterruptedException {
    signal(signal, dir);
  }

  private static void signal(String signal, Path to) throws IOException, InterruptedException {
    Signals.send(signal, to.resolve("redis.pid"));
  }

  @Test
  void aKilledServerIsStartedAgainWithAllThatItHad() throws Exception {
    EngineSnapshot before = table.snapshot();
    put(table, "a", "2");
    for (int i = 0; i < 3; i++) {
      signal("KILL");
      assertThat(get(table, "a")).isEqualTo("2");
      assertThat(before.get(bytes("a"))).isEqualTo(bytes("1"));
    }
    before.close();
    signal("KILL");
    Awaitility.await()
        .ignoreExceptionsInstanceOf(EngineException.class) // who changes is told once
        .untilAsserted(
            () -> {
              put(table, "b", "3");
              assertThat(get(table, "b")).isEqualTo("3");
            });
  }

  /** With the weaker level, too, and while its log is synced in the background. */
  @Test
  void whatWasAnsweredOutlivesTheServer(@TempDir Path other) throws Exception {
    EngineOptions options = new EngineOptions(other, 1L << 30, 32L << 20, Durability.NONE);
    try (Engine weaker = RedisEngine.open(() -> RedisExecutable.find(other), options, MAX_CALL)) {
      EngineTable rows = weaker.table("t");
      String large = "x".repeat(1 << 20);
      for (int kill = 0; kill < 4; kill++) {
        for (int i = 0; i < 20; i++) {
          put(rows, "large", large, "last", kill + "-" + i);
        }
        signal("KILL", other);
        assertThat(get(rows, "last")).isEqualTo(kill + "-19");
        Awaitility.await()
            .ignoreExceptionsInstanceOf(EngineException.class) // who changes is told once
            .untilAsserted(() -> put(rows, "after", "a kill"));
      }
    }
  }

  @Test
  void aStoppedServerHoldsNobodyForLongerThanACallMayTake() throws Exception {
    signal("STOP");
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> get(table, "a"))
        .withMessageContaining("did not answer in 1000 ms");
    assertThatExceptionOfType(EngineException.class).isThrownBy(() -> put(table, "a", "2"));
    signal("CONT");
    put(table, "a", "3");
    assertThat(get(table, "a")).isEqualTo("3");
  }

  /**
   * The server makes it when it goes on, or not; what comes after it is there when it is opened.
   */
  @Test
  void whatFollowsADropWithoutAnAnswerIsThereAfterwards() throws Exception {
    signal("STOP");
    assertThatExceptionOfType(EngineException.class).isThrownBy(table::drop);
    signal("CONT");
    put(table, "b", "2");
    engine.close();
    open();
    assertThat(get(table, "b")).isEqualTo("2");
  }

  /** Else it could be applied between two reads. */
  @Test
  void whatHasNoAnswerIsSettledBeforeAnythingIsRead() throws Exception {
    signal("STOP");
    assertThatExceptionOfType(EngineException.class).isThrownBy(() -> put(table, "a", "2"));
    try (EngineSnapshot snapshot = table.snapshot()) {
      signal("CONT");
      byte[] first = snapshot.get(bytes("a"));
      put(table, "a", "3");
      assertThat(snapshot.get(bytes("a"))).isEqualTo(first);
    }
    assertThat(get(table, "a")).isEqualTo("3");
  }

  @Test
  void manyWhoFindTheServerDeadStartOne() throws Exception {
    signal("KILL");
    try (var readers = IntStream.range(0, 8).parallel()) {
      assertThat(readers.mapToObj(i -> get(table, "a")).toList()).containsOnly("1");
    }
  }

  @Test
  void whatADeadProcessLeftRunningIsEndedFirst() throws Exception {
    ProcessHandle server =
        ProcessHandle.of(Long.parseLong(Files.readString(dir.resolve("redis.pid")).strip()))
            .orElseThrow();
    try (RedisServer other =
        new RedisServer(
            RedisExecutable.find(dir),
            new EngineOptions(dir, 1L << 30, 32L << 20, Durability.SYNC),
            64L << 20)) {
      other.connect(MAX_CALL, MAX_CALL).close();
      assertThat(server.isAlive() && server.info().command().isPresent()).isFalse();
    }
  }
}
