/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineTable;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine for each test, and a table of it. */
public abstract class OpenedEngine {
  static final long CAPACITY_BYTES = 1L << 30;
  static final long MEMORY_BYTES = 32L << 20;

  @TempDir Path dir;
  Engine engine;
  EngineTable table;

  /** Opens the engine under test. */
  protected abstract Engine open(EngineOptions options);

  /** Options of a test. */
  public static EngineOptions options(Path directory, long capacityBytes) {
    return new EngineOptions(directory, capacityBytes, MEMORY_BYTES, EngineOptions.Durability.SYNC);
  }

  @BeforeEach
  void openAnEngine() {
    engine = open(options(dir, CAPACITY_BYTES));
    table = engine.table("t");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  void reopen() {
    engine.close();
    engine = open(options(dir, CAPACITY_BYTES));
    table = engine.table("t");
  }

  static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
