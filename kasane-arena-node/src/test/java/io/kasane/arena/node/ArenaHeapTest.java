/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.config.ArenaSettings;
import io.kasane.host.refuse.HostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArenaHeapTest {
  private static ArenaSettings settings(long bytes) {
    return new ArenaSettings(
        Path.of("/a"),
        Optional.empty(),
        2 << 10,
        Optional.empty(),
        Map.of("k.t", bytes, "k.u", bytes));
  }

  @Test
  void anIndexThatDoesNotFitIsRefusedBeforeTheNodeStarts() {
    assertThatCode(() -> ArenaHeap.require(settings(1L << 30), 1L << 30))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ArenaHeap.require(settings(100L << 30), 8L << 30))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("arenas.tables")
        .hasMessageContaining("larger slots");
  }
}
