/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.ModelRig;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskOptionsTest {
  private static final long DATA_BYTES = 1 << 20;

  @TempDir private Path dir;
  private Path slow;
  private Path fast;

  @BeforeEach
  void makeDirectories() throws IOException {
    slow = Files.createDirectory(dir.resolve("slow"));
    fast = Files.createDirectory(dir.resolve("fast"));
  }

  private DiskRig rig(String kind, Path slowDir, Path fastDir) throws IOException {
    return DiskOptions.of(kind, slowDir, fastDir).rig(8, DATA_BYTES, dir.resolve("work"));
  }

  private void assertRefused(String kind, Path slowDir, Path fastDir, String... words) {
    assertThatThrownBy(() -> rig(kind, slowDir, fastDir))
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldModelDisksUnlessToldOtherwise() throws IOException {
    assertThat(rig(null, null, null)).isInstanceOf(ModelRig.class);
    assertThat(rig("model", null, null)).isInstanceOf(ModelRig.class);
  }

  @Test
  void shouldTakeDirectoriesAtTheirNames() throws IOException {
    DiskRig rig = rig(null, slow, fast);

    String type = Files.getFileStore(slow).type();
    assertThat(rig.describe())
        .contains(slow.toString(), fast.toString(), type, "both on one device", "page cache");
    assertThat(rig("directories", slow, fast)).isInstanceOf(DirectoryRig.class);
    assertThat(slow).isEmptyDirectory();
  }

  @Test
  void shouldRefuseKindsThatAreNone() {
    assertRefused("ramdisk", null, null, "--disks: 'ramdisk'", "model, loop, directories");
  }

  @Test
  void shouldRefuseDirectoriesThatAreNotUsed() {
    assertRefused("model", slow, fast, "--disks: 'model'", "--slow-dir");
    assertRefused("loop", null, fast, "--disks: 'loop'", "--fast-dir");
  }

  @Test
  void shouldRefuseHalfAPair() {
    assertRefused(null, slow, null, "only --slow-dir");
    assertRefused(null, null, fast, "only --fast-dir");
    assertRefused("directories", null, null, "neither");
  }

  @Test
  void shouldRefuseDirectoriesThatCannotHoldData() throws IOException {
    assertRefused(null, dir.resolve("none"), fast, "--slow-dir", "none is no directory");
    assertRefused(null, slow, Files.writeString(dir.resolve("f"), ""), "--fast-dir");
    assertRefused(null, slow, slow, "--slow-dir", "--fast-dir", "lies in the other");
    assertRefused(null, dir, fast, "--work", "lies in the other");
    Path inside = Files.createDirectory(slow.resolve("inside"));
    assertRefused(null, slow, inside, "lies in the other");
    Path link = Files.createSymbolicLink(dir.resolve("link"), slow);
    assertRefused(null, slow, link, "lies in the other");
  }

  @Test
  void shouldRefuseDirectoriesThatAreTooSmall() {
    assertThatThrownBy(() -> DiskOptions.of(null, slow, fast).rig(8, 1L << 58, null))
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll("--slow-dir", "MiB free", "--scale");
  }

  @Test
  void shouldRefuseWhatAKilledRunHasLeft() throws IOException {
    Path left = Files.createDirectory(fast.resolve("kasane-bench"));

    assertRefused(null, slow, fast, "--fast-dir", left + " is there already", "rm -r " + left);
  }

  @Test
  void shouldSayWhatLoopDevicesLackHere() throws IOException {
    assumeFalse(LoopRig.missing().isEmpty(), "loop devices can be had here");

    assertRefused("loop", null, null, "--disks loop", "--disks model needs nothing");
  }
}
