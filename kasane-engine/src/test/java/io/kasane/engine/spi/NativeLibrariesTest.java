/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
  private static final String SETTING = "kasane.native_directory";

  @TempDir private Path dir;

  @AfterEach
  void clear() {
    System.clearProperty(SETTING);
  }

  @Test
  void shouldUnpackWhereTheOperatorSaysAndLeaveNothing() {
    System.setProperty(SETTING, dir.toString());
    NativeLibraries.load(
        "some",
        directory -> {
          assertThat(directory).hasParent(dir);
          Files.createFile(directory.resolve("some.so"));
        });
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void shouldSayWhatToDoAboutADirectoryThatCannotBeUsed() {
    System.setProperty(SETTING, dir.toString());
    assertThatThrownBy(
            () ->
                NativeLibraries.load(
                    "some",
                    directory -> {
                      Files.createFile(directory.resolve("some.so"));
                      throw new UnsatisfiedLinkError("failed to map segment");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll(dir.toString(), "failed to map segment", "noexec", "-D" + SETTING);
    assertThat(dir).isEmptyDirectory();

    System.setProperty(SETTING, dir.resolve("missing").toString());
    assertThatThrownBy(() -> NativeLibraries.load("some", directory -> {}))
        .hasMessageContainingAll("missing", "is not there", SETTING);
  }
}
