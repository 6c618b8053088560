/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A control group of version 2: the kernel knows for whom it writes, so one group holds all. */
final class UnifiedGroup implements NodeGroup {
  private final Path group;

  private UnifiedGroup(Path group) {
    this.group = group;
  }

  static UnifiedGroup create(Path root, String name) throws IOException {
    List<String> there = words(root.resolve("cgroup.controllers"));
    Path children = root.resolve("cgroup.subtree_control");
    for (String controller : List.of("memory", "io")) {
      if (there.contains(controller) && !words(children).contains(controller)) {
        NodeGroup.set(children, "+" + controller);
      }
    }
    Path group = Files.createDirectories(root.resolve(name));
    Path swap = group.resolve("memory.swap.max");
    if (Files.exists(swap)) {
      NodeGroup.set(swap, "0"); // to empty the page cache is not to swap out the heap
    }
    return new UnifiedGroup(group);
  }

  private static List<String> words(Path file) throws IOException {
    return List.of(Files.readString(file).strip().split(" ", -1));
  }

  @Override
  public void admit(long pid) throws IOException {
    NodeGroup.set(group.resolve("cgroup.procs"), Long.toString(pid));
  }

  @Override
  public void emptyPageCache() throws IOException {
    String all = Files.readString(group.resolve("memory.current")).strip();
    try {
      NodeGroup.set(group.resolve("memory.reclaim"), all);
    } catch (NoSuchFileException e) {
      throw e; // a kernel before 5.19
    } catch (IOException e) {
      // The kernel says so when it found less than it was asked for: the heap is not to be found.
    }
  }

  @Override
  public long besideFilesBytes() throws IOException {
    return Long.parseLong(Files.readString(group.resolve("memory.current")).strip())
        - NodeGroup.number(group.resolve("memory.stat"), "file");
  }

  @Override
  public void limitMemory(long bytes) throws IOException {
    NodeGroup.set(group.resolve("memory.max"), Long.toString(bytes));
  }

  @Override
  public void limit(DeviceNumber device, DiskLimits limits) throws IOException {
    NodeGroup.set(group.resolve("io.max"), limits.unified(device));
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(group);
  }
}
