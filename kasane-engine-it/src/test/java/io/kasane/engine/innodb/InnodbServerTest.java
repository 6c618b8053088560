/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import static io.kasane.engine.contract.Entries.bytes;
import static io.kasane.engine.contract.Entries.get;
import static io.kasane.engine.contract.Entries.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.server.Signals;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server under the engine is killed, or stops. */
class InnodbServerTest {
  private static final Duration MAX_CALL = Duration.ofSeconds(2);
  private static final Durability NONE = Durability.NONE;

  @TempDir private Path dir;
  private Engine engine;
  private EngineTable table;

  @BeforeEach
  void open() {
    engine = InnodbEngine.open(MariadbProgram::find, options(Durability.SYNC), MAX_CALL);
    table = engine.table("t");
    put(table, "a", "1");
  }

  private EngineOptions options(Durability durability) {
    return new EngineOptions(dir, 64L << 20, 32L << 20, durability);
  }

  @AfterEach
  void close() throws Exception {
    signal("CONT");
    engine.close();
  }

  private void signal(String signal) throws IOException, InterruptedException {
    Signals.send(signal, dir.resolve("mariadb.pid"));
  }

  /** Who reads or changes is told, until it is there again. */
  @Test
  void aKilledServerIsStartedAgainWithAllThatItHad() throws Exception {
    for (int i = 0; i < 3; i++) {
      String value = String.valueOf(i);
      put(table, "a", value);
      signal("KILL");
      awaitThat(() -> assertThat(get(table, "a")).isEqualTo(value));
      awaitThat(() -> put(table, "b", value));
      assertThat(get(table, "b")).isEqualTo(value);
    }
  }

  private static void awaitThat(ThrowingRunnable holds) {
    Awaitility.await().ignoreExceptionsInstanceOf(EngineException.class).untilAsserted(holds);
  }

  @Test
  void aSnapshotOfAKilledServerFailsAndMayBeClosed() throws Exception {
    try (EngineSnapshot before = table.snapshot()) {
      signal("KILL");
      assertThatExceptionOfType(EngineException.class)
          .isThrownBy(() -> before.get(bytes("a")))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    }
    awaitThat(() -> assertThat(get(table, "a")).isEqualTo("1"));
  }

  @Test
  void theWeakerLevelOutlivesAKilledServer() throws Exception {
    engine.close();
    engine = InnodbEngine.open(MariadbProgram::find, options(NONE), MAX_CALL);
    table = engine.table("t");
    for (int i = 0; i < 50; i++) {
      put(table, "a", String.valueOf(i));
    }
    signal("KILL");
    awaitThat(() -> assertThat(get(table, "a")).isEqualTo("49"));
  }

  @Test
  void aStoppedServerHoldsNobodyForLongerThanACallMayTake() throws Exception {
    signal("STOP");
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> get(table, "a"))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    assertThatExceptionOfType(EngineException.class).isThrownBy(() -> put(table, "a", "2"));
    signal("CONT");
    put(table, "a", "3");
    assertThat(get(table, "a")).isEqualTo("3");
  }

  /** It may have been made, or not: what comes after it holds. */
  @Test
  void whatHasNoAnswerIsSettledBeforeAnythingIsChanged() throws Exception {
    for (int i = 0; i < 5; i++) {
      signal("STOP");
      assertThatExceptionOfType(EngineException.class).isThrownBy(() -> put(table, "a", "lost"));
      signal("CONT");
      put(table, "a", "kept");
      assertThat(get(table, "a")).isEqualTo("kept");
    }
    engine.close();
    open();
    put(table, "b", "2");
    assertThat(get(table, "b")).isEqualTo("2");
  }

  /** What a later change is made of must not be older than what it goes by. */
  @Test
  void whatHasNoAnswerIsSettledBeforeAnythingIsRead() throws Exception {
    for (int i = 0; i < 5; i++) {
      String value = "maybe" + i;
      signal("STOP");
      assertThatExceptionOfType(EngineException.class).isThrownBy(() -> put(table, "a", value));
      signal("CONT");
      String first = get(table, "a");
      for (int again = 0; again < 20; again++) {
        assertThat(get(table, "a")).isEqualTo(first);
      }
    }
  }

  /** However many connections there were. */
  @Test
  void aStoppedServerHoldsAReaderOnce() throws Exception {
    List<EngineSnapshot> open =
        Stream.generate(table::snapshot).limit(12).collect(Collectors.toList());
    open.forEach(EngineSnapshot::close);
    signal("STOP");
    long began = System.nanoTime();
    assertThatExceptionOfType(EngineException.class).isThrownBy(table::snapshot);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(MAX_CALL.multipliedBy(5));
  }

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

  @Test
  void manyWhoFindTheServerDeadStartOne() throws Exception {
    signal("KILL");
    try (var readers = IntStream.range(0, 8).parallel()) {
      readers.forEach(i -> awaitThat(() -> assertThat(get(table, "a")).isEqualTo("1")));
    }
  }
}
