/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where this machine has its control groups.
 *
 * @param memory the directory under which groups that hold memory are made
 * @param io where requests to disks are throttled; empty if nowhere
 * @param unified whether both are of version 2
 */
record ControlGroups(Path memory, Optional<Path> io, boolean unified) {
  /** Groups of ours begin so, and end with the number of the process that made them. */
  static final String PREFIX = "kasane-bench-";

  /** Looks at this machine; empty if no memory groups can be made by this user. */
  static Optional<ControlGroups> find() throws IOException {
    Path mounts = Path.of("/proc/self/mounts");
    Path own = Path.of("/proc/self/cgroup");
    if (!Files.isReadable(mounts) || !Files.isReadable(own)) {
      return Optional.empty();
    }
    return find(Files.readAllLines(mounts), Files.readAllLines(own))
        .filter(groups -> Files.isWritable(groups.memory));
  }

  /**
   * Reads the kernel's lists.
   *
   * @param mounts lines of {@code /proc/self/mounts}
   * @param own lines of {@code /proc/self/cgroup}
   */
  static Optional<ControlGroups> find(List<String> mounts, List<String> own) throws IOException {
    Optional<Path> memory = legacy(mounts, "memory");
    if (memory.isPresent()) {
      return Optional.of(
          new ControlGroups(inOwn(memory.get(), own), legacy(mounts, "blkio"), false));
    }
    for (String line : mounts) {
      String[] words = line.split(" ", -1);
      if (words.length > 3 && words[2].equals("cgroup2")) {
        Path root = Path.of(words[1]);
        List<String> controllers = controllers(root);
        if (controllers.contains("memory")) {
          // At the root: elsewhere, a group with processes may not have groups with controllers.
          Optional<Path> io = controllers.contains("io") ? Optional.of(root) : Optional.empty();
          return Optional.of(new ControlGroups(root, io, true));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> legacy(List<String> mounts, String controller) {
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .filter(words -> words.length > 3 && words[2].equals("cgroup"))
        .filter(words -> List.of(words[3].split(",", -1)).contains(controller))
        .map(words -> Path.of(words[1]))
        .findFirst();
  }

  /** Beneath the own group, so that limits which hold for this process hold for the node too. */
  private static Path inOwn(Path mount, List<String> own) {
    return own.stream()
        .map(line -> line.split(":", 3))
        .filter(part -> part.length == 3 && List.of(part[1].split(",", -1)).contains("memory"))
        .map(part -> mount.resolve(part[2].substring(1)))
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(mount);
  }

  private static List<String> controllers(Path root) throws IOException {
    Path file = root.resolve("cgroup.controllers");
    return Files.isReadable(file)
        ? List.of(Files.readString(file).strip().split(" ", -1))
        : List.of();
  }

  /** Makes a group for one node. */
  NodeGroup create() throws IOException {
    String name = PREFIX + ProcessHandle.current().pid();
    return unified ? UnifiedGroup.create(memory, name) : LegacyGroup.create(memory, io, name);
  }

  /** Tries a group; returns, in words, why none can be had, or empty. */
  Optional<String> whyUnusable() {
    try (NodeGroup group = create()) {
      group.emptyPageCache();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the kernel does not let its page cache be emptied (" + e + ")");
    }
  }
}
