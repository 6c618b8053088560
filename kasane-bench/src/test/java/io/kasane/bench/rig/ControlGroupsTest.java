/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On plain files in the kernel's place. */
class ControlGroupsTest {
  private static final DeviceNumber DEVICE = new DeviceNumber(7, 0);
  private static final DiskLimits LIMITS = new DiskLimits(625, 626, 1_000);

  @TempDir private Path dir;
  private Path memory;
  private Path blkio;

  @BeforeEach
  void makeHierarchies() throws IOException {
    memory = Files.createDirectory(dir.resolve("memory"));
    blkio = Files.createDirectory(dir.resolve("blkio"));
  }

  private static Path file(Path directory, String name, String content) throws IOException {
    return Files.writeString(Files.createDirectories(directory).resolve(name), content);
  }

  @Test
  void shouldFindVersionOneBeneathTheOwnGroup() throws IOException {
    Path own = Files.createDirectories(memory.resolve("user/me"));
    List<String> mounts =
        List.of(
            "cgroup " + blkio + " cgroup rw,relatime,blkio 0 0",
            "cgroup " + memory + " cgroup rw,relatime,memory 0 0");

    assertThat(ControlGroups.find(mounts, List.of("7:blkio:/", "4:memory:/user/me")))
        .contains(new ControlGroups(own, Optional.of(blkio), false));
    // A path that is not visible from inside a container.
    assertThat(ControlGroups.find(mounts, List.of("4:memory:/elsewhere")))
        .contains(new ControlGroups(memory, Optional.of(blkio), false));
  }

  @Test
  void shouldFindVersionTwoByItsControllers() throws IOException {
    List<String> mounts = List.of("cgroup2 " + dir + " cgroup2 rw 0 0");
    assertThat(ControlGroups.find(mounts, List.of("0::/"))).isEmpty();

    file(dir, "cgroup.controllers", "cpu io memory\n");
    assertThat(ControlGroups.find(mounts, List.of("0::/")))
        .contains(new ControlGroups(dir, Optional.of(dir), true));

    file(dir, "cgroup.controllers", "cpu memory\n");
    assertThat(ControlGroups.find(mounts, List.of("0::/")).orElseThrow().io()).isEmpty();
  }

  @Test
  void shouldSetAndLiftTheLimitsOfVersionOne() throws IOException {
    for (String setting : LegacyGroup.settings(0, 0, 0).keySet()) {
      file(blkio, setting, "");
    }
    file(blkio, "cgroup.procs", "");
    LegacyGroup group = LegacyGroup.create(memory, Optional.of(blkio), "one");
    Path procs = file(memory.resolve("one"), "cgroup.procs", "");

    group.admit(4711);
    group.limit(DEVICE, LIMITS);

    assertThat(procs).hasContent("4711");
    assertThat(blkio.resolve("cgroup.procs")).hasContent("4711");
    assertThat(blkio.resolve("blkio.throttle.read_iops_device")).hasContent("7:0 625");
    assertThat(blkio.resolve("blkio.throttle.write_iops_device")).hasContent("7:0 626");
    assertThat(blkio.resolve("blkio.throttle.read_bps_device")).hasContent("7:0 1000");
    assertThat(blkio.resolve("blkio.throttle.write_bps_device")).hasContent("7:0 1000");

    Files.delete(procs); // rmdir of a real group does not mind its files
    group.close();

    assertThat(memory.resolve("one")).doesNotExist();
    assertThat(blkio.resolve("blkio.throttle.read_iops_device")).content().startsWith("7:0 0");
    assertThat(blkio.resolve("blkio.throttle.write_bps_device")).content().startsWith("7:0 0");
  }

  @Test
  void shouldKeepANodeOfVersionOneFromSwap() throws IOException {
    Path swappiness = file(memory.resolve("one"), "memory.swappiness", "60");

    LegacyGroup.create(memory, Optional.empty(), "one");

    assertThat(swappiness).content().startsWith("0");
  }

  @Test
  void shouldLimitMemoryInBothVersions() throws IOException {
    Path legacy = file(memory.resolve("one"), "memory.limit_in_bytes", "");
    file(memory.resolve("one"), "memory.stat", "cache 5\nrss 77\n");
    file(memory.resolve("one"), "memory.usage_in_bytes", "82\n");
    Path unified = file(dir.resolve("one"), "memory.max", "");
    file(dir.resolve("one"), "memory.stat", "anon 70\nfile 5\n");
    file(dir.resolve("one"), "memory.current", "83\n");
    file(dir, "cgroup.controllers", "memory\n");
    file(dir, "cgroup.subtree_control", "memory\n");
    LegacyGroup one = LegacyGroup.create(memory, Optional.empty(), "one");
    UnifiedGroup two = UnifiedGroup.create(dir, "one");

    one.limitMemory(4711);
    two.limitMemory(4712);

    assertThat(legacy).hasContent("4711");
    assertThat(unified).hasContent("4712");
    assertThat(one.besideFilesBytes()).isEqualTo(77);
    assertThat(two.besideFilesBytes()).isEqualTo(78);
  }

  @Test
  void shouldEnableControllersAndLimitInVersionTwo() throws IOException {
    file(dir, "cgroup.controllers", "cpu io memory\n");
    Path children = file(dir, "cgroup.subtree_control", "cpu memory\n");
    Path max = file(dir.resolve("one"), "io.max", "");
    file(dir.resolve("one"), "memory.current", "12345\n");
    UnifiedGroup group = UnifiedGroup.create(dir, "one");

    group.limit(DEVICE, LIMITS);

    assertThat(children).content().startsWith("+io");
    assertThat(max).hasContent("7:0 rbps=1000 wbps=1000 riops=625 wiops=626");
    assertThatThrownBy(group::emptyPageCache).isInstanceOf(NoSuchFileException.class);
    Path reclaim = file(dir.resolve("one"), "memory.reclaim", "");
    group.emptyPageCache();
    assertThat(reclaim).hasContent("12345");
  }
}
