/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutTest {
  @TempDir private Path dir;

  private Layout.Entry disk(String name, String directory) {
    return new Layout.Entry(name, dir.resolve(directory), "ssd-sata", 1000, 7, 1.5);
  }

  @Test
  void shouldReadWhatItWrote() {
    Layout layout = new Layout(List.of(disk("slow", "a b"), disk("fast", "c=d")), 12_345);
    layout.write(dir.resolve("layout"));

    assertThat(Layout.read(dir.resolve("layout"))).isEqualTo(layout);
  }

  @Test
  void shouldRefuseADiskInADisk() {
    assertThatThrownBy(() -> new Layout(List.of(disk("slow", "a"), disk("fast", "a/b")), 0))
        .hasMessageContaining("fast.directory")
        .hasMessageContaining("slow");
  }

  @Test
  void shouldNameWhatIsMissing() throws IOException {
    Files.writeString(dir.resolve("layout"), "disks=slow\nslow.directory=/x\n");

    assertThatThrownBy(() -> Layout.read(dir.resolve("layout")))
        .hasMessageContaining("no 'slow.model'");
  }

  @Test
  void shouldRefuseFiguresThatMakeNoDisk() {
    assertThatThrownBy(() -> new Layout(List.of(disk("slow", "a")), -1))
        .hasMessageContaining("memory: -1");
    assertThatThrownBy(() -> new Layout.Entry("slow", dir, "hdd-7200", -1, 1, 1))
        .hasMessageContaining("slow.capacity: -1");
    assertThatThrownBy(() -> new Layout.Entry("slow", dir, "hdd-7200", 1, 1, 0))
        .hasMessageContaining("slow.faster: 0");
    assertThatThrownBy(() -> new Layout.Entry("slow", dir, "drum", 1, 1, 1).spec())
        .hasMessageContaining("drum");
  }
}
