/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static io.kasane.engine.contract.Entries.all;
import static io.kasane.engine.contract.Entries.bytes;
import static io.kasane.engine.contract.Entries.put;
import static io.kasane.engine.contract.Entries.scan;
import static io.kasane.engine.contract.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine owes for its tables, for opening and closing, and when it is full. */
public abstract class EngineTablesContract extends OpenedEngine {
  @Test
  void aDirectoryHasOneEngine() {
    put(table, "a", "1");
    assertKind(Kind.FAILED, () -> open(options(dir, CAPACITY_BYTES)));
    put(table, "b", "2");
    assertThat(all(table)).containsExactly("a=1", "b=2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "A",
        "ks-1b255f4d.rows",
        "with space",
        "with/slash",
        "..",
        "ünïcode-表",
        "default_"
      })
  void tablesMayHaveAnyName(String name) {
    put(engine.table(name), "a", name);
    put(table, "a", "of t");
    engine.sync();
    reopen();
    assertThat(engine.tables()).containsExactlyInAnyOrder("t", name);
    assertThat(all(engine.table(name))).containsExactly("a=" + name);
    assertThat(all(table)).containsExactly("a=of t");
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> engine.table(""));
  }

  @Test
  void aNameIsOneTable() {
    put(engine.table("t"), "a", "1");
    assertThat(all(table)).containsExactly("a=1");
    assertThat(engine.table("t")).isSameAs(table);
  }

  @Test
  void aHundredTablesAreHeld() {
    for (int i = 0; i < 100; i++) {
      put(engine.table("many" + i), "k", "v" + i);
    }
    engine.sync();
    reopen();
    assertThat(engine.tables()).hasSize(101);
    for (int i = 0; i < 100; i++) {
      assertThat(all(engine.table("many" + i))).containsExactly("k=v" + i);
    }
  }

  @Test
  void aDroppedTableIsGone() {
    put(table, "a", "1");
    EngineTable other = engine.table("other");
    put(other, "a", "2");
    table.drop();
    assertThat(engine.tables()).containsExactly("other");
    EngineTable dropped = table;
    assertKind(Kind.CLOSED, dropped::snapshot);
    assertKind(Kind.CLOSED, dropped::size);
    assertKind(Kind.CLOSED, () -> dropped.getAll(List.of(bytes("a"))));
    assertKind(Kind.CLOSED, dropped::drop);
    assertKind(Kind.CLOSED, () -> put(dropped, "a", "3"));
    engine.sync();
    reopen();
    assertThat(all(engine.table("t"))).isEmpty();
    assertThat(all(engine.table("other"))).containsExactly("a=2");
  }

  @Test
  void aTableOfADroppedOnesNameIsAnother() {
    put(table, "a", "1");
    EngineTable dropped = table;
    try (EngineSnapshot before = table.snapshot()) {
      table.drop();
      EngineTable next = engine.table("t");
      assertThat(all(next)).isEmpty();
      put(next, "b", "2");
      EngineTable third = engine.table("u");
      put(third, "c", "3");
      assertThat(scan(before, KeyRange.all(), false)).containsExactly("a=1");
      assertKind(Kind.CLOSED, () -> put(dropped, "a", "4"));
      assertKind(Kind.CLOSED, dropped::snapshot);
      assertThat(all(next)).containsExactly("b=2");
      assertThat(all(third)).containsExactly("c=3");
    }
  }

  @Test
  void whatWasSyncedIsThereAfterwards() {
    for (int i = 0; i < 500; i++) {
      put(table, "k" + i, "v" + i);
    }
    table.apply(new EngineBatch().delete(bytes("k7")));
    engine.sync();
    for (int i = 0; i < 3; i++) {
      reopen();
      assertThat(all(table)).hasSize(499).contains("k0=v0", "k499=v499").doesNotContain("k7=v7");
      put(table, "k0", "v0");
    }
  }

  @Test
  void aClosedEngineRefusesAll() {
    engine.close();
    engine.close();
    assertKind(Kind.CLOSED, () -> engine.table("t"));
    assertKind(Kind.CLOSED, engine::tables);
    assertKind(Kind.CLOSED, engine::sync);
    assertKind(Kind.CLOSED, engine::usage);
    assertKind(Kind.CLOSED, table::snapshot);
    assertKind(Kind.CLOSED, () -> table.getAll(List.of(bytes("a"))));
    assertKind(Kind.CLOSED, table::size);
    assertKind(Kind.CLOSED, table::drop);
    assertKind(Kind.CLOSED, () -> put(table, "a", "1"));
  }

  @Test
  void anEngineThatIsReadIsNotClosed() {
    put(table, "a", "1");
    try (EngineSnapshot snapshot = table.snapshot()) {
      assertThatIllegalStateException()
          .isThrownBy(engine::close)
          .withMessageContaining("1 open snapshots");
      assertThat(text(snapshot.get(bytes("a")))).isEqualTo("1");
    }
    put(table, "a", "2");
    assertThat(all(table)).containsExactly("a=2");
  }

  /** What came before holds, reads go on, and with room again so do writes. */
  @ParameterizedTest
  @ValueSource(longs = {OpenedEngine.MEMORY_BYTES, 512L << 20})
  void aFullEngineKeepsWhatItHas(long memoryBytes) {
    engine.close();
    dir = dir.resolve("small" + memoryBytes);
    engine =
        open(
            new EngineOptions(
                dir, EngineOptions.MIN_BYTES, memoryBytes, EngineOptions.Durability.SYNC));
    EngineTable filled = engine.table("filled");
    EngineTable kept = engine.table("kept");
    put(kept, "a", "1");
    Random random = new Random(1);
    int[] rows = {0};
    assertKind(
        Kind.FULL,
        () -> {
          for (; rows[0] < 1_000; rows[0]++) {
            byte[] value = new byte[100_000];
            random.nextBytes(value);
            filled.apply(new EngineBatch().put(bytes(String.format("%04d", rows[0])), value));
          }
        });
    assertThat(rows[0]).isBetween(20, 500);
    try (EngineSnapshot snapshot = filled.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.all(), true)) {
      assertThat(cursor.next()).isTrue();
      assertThat(text(cursor.key())).isEqualTo(String.format("%04d", rows[0] - 1));
    }
    assertThat(all(kept)).containsExactly("a=1");
    engine.sync();
    filled.drop();
    engine.sync();
    String large = "2".repeat(1_000_000);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(EngineException.class)
        .untilAsserted(
            () -> {
              put(kept, "b", large);
              assertThat(all(kept)).containsExactly("a=1", "b=" + large);
            });
  }
}
