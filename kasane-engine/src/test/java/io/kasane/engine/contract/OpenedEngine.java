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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine for each test, and a table of it. */
public abstract class OpenedEngine {
  static final long CAPACITY_BYTES = 1L << 30;
  static final long MEMORY_BYTES = 32L << 20;

  /** An engine whose server is not started for each test, and where it lies. */
  private static Engine kept;

  @TempDir private static Path keptDirectory;

  @TempDir private Path ownDirectory;
  Path dir;
  Engine engine;
  EngineTable table;

  /** Opens the engine under test. */
  protected abstract Engine open(EngineOptions options);

  /** Whether tests share it, each with no table at first: to start a server takes long. */
  protected boolean isShared() {
    return false;
  }

  /** Options of a test. */
  public static EngineOptions options(Path directory, long capacityBytes) {
    return new EngineOptions(directory, capacityBytes, MEMORY_BYTES, EngineOptions.Durability.SYNC);
  }

  @BeforeEach
  void openAnEngine() {
    dir = isShared() ? keptDirectory : ownDirectory;
    engine = isShared() && kept != null ? kept : open(options(dir, CAPACITY_BYTES));
    table = engine.table("t");
  }

  @AfterEach
  void closeOrEmpty() {
    kept = null;
    if (isShared() && isOpen() && dir.equals(keptDirectory)) {
      engine.tables().forEach(name -> engine.table(name).drop());
      kept = engine;
    } else {
      engine.close();
    }
  }

  private boolean isOpen() {
    try {
      engine.tables();
      return true;
    } catch (EngineException e) {
      return false;
    }
  }

  @AfterAll
  static void closeKept() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
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
