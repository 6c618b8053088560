/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.node.views.EngineTableView;
import io.kasane.node.views.EngineView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EngineStatusTest {
  private static EngineView engine(String name, boolean writes, boolean reads, String reason) {
    return new EngineView(
        name,
        true,
        writes,
        reads,
        Optional.ofNullable(reason),
        reason == null ? 0 : 12,
        0,
        0,
        "/engines/" + name,
        reason == null ? OptionalLong.of(2048) : OptionalLong.empty());
  }

  private static EngineTableView table(String engine, String index, int waiting, long seconds) {
    OptionalLong none = OptionalLong.empty();
    return new EngineTableView(
        "k", "t", index, engine, true, true, none, none, waiting, 1, seconds, 0);
  }

  @Test
  void shouldSayNothingOfNodesWithoutEngines() {
    EngineStatus status = new EngineStatus();
    status.add(1, List.of(), List.of());
    assertThat(status.isEmpty()).isTrue();
  }

  @Test
  void shouldShowEachEngineAndWhyItIsOut() {
    EngineStatus status = new EngineStatus();
    status.add(
        3,
        List.of(engine("rocksdb", false, true, "no space"), engine("lmdb", true, true, null)),
        List.of(
            table("rocksdb", "", 2, 40), table("rocksdb", "i", 1, 50), table("lmdb", "", 0, 0)));

    assertThat(status.isEmpty()).isFalse();
    assertThat(status.toString().lines())
        .containsExactly(
            "NODE  ENGINE   STATE      USED     TABLES  WAITING  PATH",
            "   3  lmdb     works      2.0 KiB       1        0  /engines/lmdb",
            "   3  rocksdb  no writes  -             1        3  /engines/rocksdb",
            "rocksdb on node 3 has been out for 12 s: no space",
            "3 SSTables wait to move into rocksdb on node 3, the oldest is 50 s old");
  }
}
