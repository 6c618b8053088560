/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every engine does with a server that an operator runs. */
public abstract class OperatorContract {
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final Duration MAX_CALL = Duration.ofSeconds(2);
  private static final int AGAIN = 1;
  private static final int ONE = 2;
  private static final int STOPPED = 3;

  /** Databases from this number on are for the tests of one engine. */
  protected static final int FIRST_OTHER = 4;

  @TempDir protected Path dir;

  /** The server, started once for all tests. */
  protected abstract OperatedServer server();

  /** Opens the engine, as its provider would with another longest call. */
  protected abstract Engine open(EngineOptions options, Duration maxCall);

  /** Opens the engine for the node whose own directory is the one named. */
  protected final Engine open(String directory, EngineServer address) {
    EngineOptions own = OpenedEngine.options(dir.resolve(directory), CAPACITY_BYTES);
    return open(
        new EngineOptions(
            own.directory(),
            own.capacityBytes(),
            own.memoryBytes(),
            own.durability(),
            Optional.of(address)),
        MAX_CALL);
  }

  /** A change that puts one key. */
  protected static EngineBatch put(String key) {
    EngineBatch batch = new EngineBatch();
    batch.put(key.getBytes(UTF_8), new byte[] {1});
    return batch;
  }

  private static byte[] get(EngineTable table, String key) {
    return table.getAll(List.of(key.getBytes(UTF_8))).get(0);
  }

  /** Requires that the engine is not opened, and that the message has all these words. */
  protected final void assertRefused(String directory, EngineServer address, String... said) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> open(directory, address).close())
        .satisfies(e -> assertThat(e.getMessage()).contains(said));
  }

  /** The same server, with other words for who asks and whom it trusts. */
  protected static EngineServer with(
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

  @Test
  void whatWasWrittenIsThereWhenItIsOpenedAgainAndWhenTheServerIsStartedAgain() throws Exception {
    EngineServer address = server().database(AGAIN);
    try (Engine engine = open("a", address)) {
      engine.table("t").apply(put("one"));
    }
    try (Engine engine = open("a", address)) {
      EngineTable table = engine.table("t");
      assertThat(get(table, "one")).containsExactly(1);
      server().kill9();
      server().begin();
      assertThat(get(table, "one")).containsExactly(1);
      assertThatExceptionOfType(EngineException.class)
          .as("nobody knows whether a change on the lost connection was applied")
          .isThrownBy(() -> table.apply(put("two")))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
      table.apply(put("two"));
      assertThat(get(table, "two")).containsExactly(1);
    }
  }

  @Test
  void aDatabaseHasOneNode() {
    EngineServer address = server().database(ONE);
    open("a", address).close();
    assertRefused("b", address, address.database(), "belongs to the node whose mark is");
    open("a", address).close();
  }

  @Test
  void aStoppedServerHoldsNobodyForLongerThanACallMayTake() throws Exception {
    try (Engine engine = open("a", server().database(STOPPED))) {
      EngineTable table = engine.table("t");
      table.apply(put("one"));
      Signals.send("STOP", server().process().pid());
      try {
        long began = System.nanoTime();
        assertThatExceptionOfType(EngineException.class)
            .isThrownBy(() -> table.apply(put("two")))
            .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        assertThatExceptionOfType(EngineException.class).isThrownBy(() -> get(table, "one"));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isLessThan(MAX_CALL.multipliedBy(4));
      } finally {
        Signals.send("CONT", server().process().pid());
      }
      assertThat(get(table, "one")).containsExactly(1);
      table.apply(put("two"));
      assertThat(get(table, "two")).containsExactly(1);
    }
  }
}
