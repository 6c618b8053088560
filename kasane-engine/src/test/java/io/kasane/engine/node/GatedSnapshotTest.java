/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.health.CircuitBreaker;
import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whichever call hangs, the gate sees it; and none while no call is made. */
class GatedSnapshotTest {
  private static final Duration MAX_CALL = Duration.ofSeconds(10);
  private static final byte[] KEY = {1};

  private final AtomicLong nowNanos = new AtomicLong();
  private final CircuitBreaker breaker = new CircuitBreaker(nowNanos::get);
  private final ReadBulkhead gate = new ReadBulkhead(breaker, 1, MAX_CALL, MAX_CALL, nowNanos::get);
  private final EngineTable table =
      new NaiveProvider(1_000)
          .open(
              new EngineOptions(
                  Path.of("none"), 1L << 30, 16L << 20, EngineOptions.Durability.NONE))
          .table("t");

  private void beLate() {
    gate.look();
    nowNanos.addAndGet(MAX_CALL.toNanos() + 1);
    gate.look();
  }

  /** An engine of which some calls take too long. */
  private <T> T late(Class<T> type, T engine, String slowCall) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (slowCall.equals(type.getSimpleName() + "." + method.getName())) {
                beLate();
              }
              try {
                Object result = method.invoke(engine, arguments);
                return Set.of(EngineSnapshot.class, EngineCursor.class)
                        .contains(method.getReturnType())
                    ? lateResult(method.getReturnType(), result, slowCall)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private <T> T lateResult(Class<T> type, Object result, String slowCall) {
    return late(type, type.cast(result), slowCall);
  }

  /** One that has lost its server, one that fails, and one that fails for what was asked alone. */
  @ParameterizedTest
  @EnumSource(names = {"UNREACHABLE", "FAILED", "CORRUPT"})
  void whoseCallFailsTellsTheOthers(Kind kind) {
    EngineSnapshot failing =
        (EngineSnapshot)
            Proxy.newProxyInstance(
                EngineSnapshot.class.getClassLoader(),
                new Class<?>[] {EngineSnapshot.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  throw new EngineException(kind, "no answer");
                });
    EngineTable from =
        (EngineTable)
            Proxy.newProxyInstance(
                EngineTable.class.getClassLoader(),
                new Class<?>[] {EngineTable.class},
                (proxy, method, arguments) -> failing);
    try (EngineSnapshot snapshot = new GatedSnapshot(from, gate.enter(), null, () -> {})) {
      assertThatExceptionOfType(EngineException.class).isThrownBy(() -> snapshot.get(KEY));
    }
    assertThat(breaker.isClosed()).isEqualTo(kind != Kind.UNREACHABLE);
    assertThat(breaker.beginsProbe()).isEqualTo(kind == Kind.FAILED);
  }

  /** Makes each call, and lets time go by between them. */
  private void read(EngineTable from) {
    table.apply(new EngineBatch().put(KEY, new byte[] {2}));
    try (EngineSnapshot snapshot = new GatedSnapshot(from, gate.enter(), null, () -> {})) {
      beLate();
      assertThat(snapshot.get(KEY)).containsExactly(2);
      assertThat(snapshot.getAll(List.of(KEY))).containsExactly(new byte[] {2});
      try (EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
        beLate();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(KEY);
        assertThat(cursor.value()).containsExactly(2);
        beLate();
      }
      assertThat(gate.readers()).isOne();
    }
    assertThat(gate.readers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EngineTable.snapshot",
        "EngineSnapshot.get",
        "EngineSnapshot.getAll",
        "EngineSnapshot.scan",
        "EngineSnapshot.close",
        "EngineCursor.next",
        "EngineCursor.value",
        "EngineCursor.close"
      })
  void shouldShowACallThatHangs(String call) {
    read(late(EngineTable.class, table, call));
    assertThat(breaker.isClosed()).isFalse();
  }

  @Test
  void shouldAskAtOnceWithoutASnapshot() {
    EngineTable hanging = late(EngineTable.class, table, "EngineTable.snapshot");
    table.apply(new EngineBatch().put(KEY, new byte[] {2}));
    try (EngineSnapshot snapshot = new GatedSnapshot(hanging, gate.enter(), null, () -> {})) {
      assertThat(snapshot.getAll(List.of(KEY))).containsExactly(new byte[] {2});
    }
    assertThat(breaker.isClosed()).isTrue();
    assertThat(gate.readers()).isZero();
    try (EngineSnapshot snapshot =
        new GatedSnapshot(
            late(EngineTable.class, table, "EngineTable.getAll"), gate.enter(), null, () -> {})) {
      snapshot.getAll(List.of(KEY));
    }
    assertThat(breaker.isClosed()).isFalse();
  }

  /** Who asked may try again with it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLeaveThePassToWhomTheFirstCallFails(boolean isTaken) {
    EngineTable dropped = table;
    dropped.drop();
    ReadBulkhead.Pass pass = gate.enter();
    try (GatedSnapshot snapshot = new GatedSnapshot(dropped, pass, null, () -> {})) {
      assertThatExceptionOfType(EngineException.class)
          .isThrownBy(
              () -> {
                if (isTaken) {
                  snapshot.take();
                } else {
                  snapshot.getAll(List.of(KEY));
                }
              });
    }
    assertThat(gate.readers()).isOne();
    pass.close();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldShowNothingBetweenCalls() {
    read(late(EngineTable.class, table, "none"));
    assertThat(breaker.isClosed()).isTrue();
  }
}
