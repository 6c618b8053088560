/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On plain files in the kernel's place. */
class LeftoversTest {
  @TempDir private Path dir;
  private Path memory;
  private Path blkio;
  private Path block;

  @BeforeEach
  void makeKernel() throws IOException {
    memory = Files.createDirectory(dir.resolve("memory"));
    blkio = Files.createDirectory(dir.resolve("blkio"));
    block = Files.createDirectory(dir.resolve("block"));
    for (String setting : LegacyGroup.settings(0, 0, 0).keySet()) {
      Files.writeString(blkio.resolve(setting), "254:0 10\n");
    }
    device("loop0", "/home/me/linux.iso");
    Files.createDirectories(block.resolve("loop1"));
  }

  private void device(String name, String image) throws IOException {
    Path loop = Files.createDirectories(block.resolve(name).resolve("loop"));
    Files.writeString(loop.resolve("backing_file"), image + "\n");
  }

  private Leftovers leftovers(String... mounts) {
    return new Leftovers(
        block, List.of(mounts), new ControlGroups(memory, Optional.of(blkio), false));
  }

  @Test
  void shouldLeaveTheDisksOfOthersAlone() throws IOException {
    Files.writeString(blkio.resolve("blkio.throttle.read_iops_device"), "7:0 100\n");

    assertThatCode(() -> leftovers("/dev/loop0 /media ext4 rw 0 0").requireNone())
        .doesNotThrowAnyException();
  }

  @Test
  void shouldNameWhatIsLeftAndHowToRemoveIt() throws IOException {
    device("loop2", "/nowhere/x/disks/slow.kasane-bench.img (deleted)");
    Path group = Files.createDirectory(memory.resolve("kasane-bench-99"));
    Files.writeString(group.resolve("cgroup.procs"), "4711\n");
    Path reads = blkio.resolve("blkio.throttle.read_iops_device");
    Files.writeString(reads, "7:1 625\n7:2 625\n");
    Leftovers leftovers = leftovers("/dev/loop2 /nowhere/x/disks/slow ext4 rw 0 0");

    assertThat(leftovers.cleanUp())
        .containsExactly(
            "kill -9 4711",
            "rmdir " + group,
            "umount /nowhere/x/disks/slow",
            "losetup --detach /dev/loop2",
            "rm -f /nowhere/x/disks/slow.kasane-bench.img",
            "echo 7:1 0 > " + reads,
            "echo 7:2 0 > " + reads);
    assertThatThrownBy(leftovers::requireNone)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("--disks loop")
        .hasMessageContaining("umount /nowhere/x/disks/slow");
  }

  @Test
  void shouldNameANodeThatStillHoldsADisk() throws IOException {
    Path work = dir.resolve("work");
    device("loop2", work.resolve("disks/slow.kasane-bench.img").toString());
    String flag = "-Dkasane.node.dir=" + work.resolve("cluster/node1");
    Process node = new ProcessBuilder("sh", "-c", "read line", flag).start();
    try {
      assertThat(leftovers().cleanUp()).contains("kill -9 " + node.pid());
    } finally {
      node.destroyForcibly();
    }
  }
}
