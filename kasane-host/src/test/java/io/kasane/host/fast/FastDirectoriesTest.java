/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.host.refuse.HostException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FastDirectoriesTest {
  private static final Path SLOW = Path.of("/slow");
  private static final Path FAST = Path.of("/fast");

  @Test
  void slowFirstThenFastIsRight() {
    assertThatCode(() -> FastDirectories.check(List.of(FAST), List.of(SLOW, FAST), false))
        .doesNotThrowAnyException();
    assertThatCode(() -> FastDirectories.check(List.of(FAST), List.of(FAST, SLOW), true))
        .doesNotThrowAnyException();
  }

  @Test
  void fastFirstIsRefused() {
    assertThatThrownBy(() -> FastDirectories.check(List.of(FAST), List.of(FAST, SLOW), false))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("list a slow directory first");
  }

  @Test
  void aDirectoryThatCassandraDoesNotKnowIsRefused() {
    assertThatThrownBy(() -> FastDirectories.check(List.of(FAST), List.of(SLOW), false))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("/fast")
        .hasMessageContaining("data_file_directories");
  }

  @Test
  void onlyFastDirectoriesAreRefused() {
    assertThatThrownBy(() -> FastDirectories.check(List.of(FAST), List.of(FAST), true))
        .isInstanceOf(HostException.class)
        .hasMessageContaining("at least one slow directory");
  }
}
