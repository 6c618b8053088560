/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineTable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of any length on an engine that takes short ones. */
class LongKeyEngineTest extends EngineContract {
  private final NaiveProvider provider = new NaiveProvider(LongKeyEngine.MIN_KEY_BYTES);

  @Override
  protected Engine open(EngineOptions options) {
    return new LongKeyEngine(provider.open(options));
  }

  @Test
  void layersThatAreEmptyLeaveNothing(@TempDir Path dir) {
    try (Engine stored = provider.open(options(dir, 1 << 30));
        Engine engine = new LongKeyEngine(stored)) {
      EngineTable table = engine.table("t");
      EngineBatch puts = new EngineBatch();
      EngineBatch deletes = new EngineBatch();
      for (int length = 1; length < 200; length += 7) {
        puts.put(new byte[length], new byte[0]);
        deletes.delete(new byte[length]);
      }
      table.apply(puts);
      assertThat(stored.table("t").size().entries()).isGreaterThan(30);
      table.apply(deletes);
      assertThat(stored.table("t").size().entries()).as("the next number").isOne();

      table.apply(puts);
      table.apply(new EngineBatch().delete(new byte[197]));
      assertThat(stored.table("t").size().entries()).isGreaterThan(30);
    }
  }

  @Test
  void aLayerThatIsFilledAgainIsKept(@TempDir Path dir) {
    byte[] longKey = new byte[100];
    byte[] longer = new byte[101];
    try (Engine engine = new LongKeyEngine(provider.open(options(dir, 1 << 30)))) {
      EngineTable table = engine.table("t");
      table.apply(new EngineBatch().put(longKey, new byte[1]));
      table.apply(new EngineBatch().delete(longKey).put(longer, new byte[2]));
      try (var snapshot = table.snapshot()) {
        assertThat(snapshot.get(longer)).hasSize(2);
        assertThat(snapshot.get(longKey)).isNull();
      }
    }
  }

  @Test
  void anEngineOfTinyKeysIsRefused(@TempDir Path dir) {
    try (Engine tiny = new NaiveProvider(10).open(options(dir, 1 << 30))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new LongKeyEngine(tiny))
          .withMessageContaining("10 bytes");
    }
  }
}
