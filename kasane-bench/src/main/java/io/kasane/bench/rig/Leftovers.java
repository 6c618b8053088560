/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.Dataset;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run that was killed has left in the system: control groups, mounts, loop devices, limits.
 *
 * @param blockDevices {@code /sys/block}
 * @param mounts lines of {@code /proc/self/mounts}
 * @param groups this machine's control groups
 */
record Leftovers(Path blockDevices, List<String> mounts, ControlGroups groups) {
  private static final String LOOP_MAJOR = "7";

  static Leftovers of(ControlGroups groups) throws IOException {
    return new Leftovers(
        Path.of("/sys/block"), Files.readAllLines(Path.of("/proc/self/mounts")), groups);
  }

  /** Refuses to work beside leftovers, and says how to be rid of them. */
  void requireNone() throws IOException {
    List<String> commands = cleanUp();
    if (!commands.isEmpty()) {
      throw new NodeException(
          "--disks loop: an earlier run was killed and left its disks, or one still runs; only one"
              + " can. If none runs, remove what is left, as root:\n  "
              + String.join("\n  ", commands));
    }
  }

  /** Returns the commands that remove all leftovers, in order. */
  List<String> cleanUp() throws IOException {
    List<String> commands = new ArrayList<>();
    addGroups(commands);
    addDevices(commands);
    addLimits(commands);
    return commands;
  }

  private void addGroups(List<String> commands) throws IOException {
    try (var all = Files.newDirectoryStream(groups.memory(), ControlGroups.PREFIX + "*")) {
      for (Path group : all) {
        for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
          commands.add("kill -9 " + pid);
        }
        commands.add("rmdir " + group);
      }
    }
  }

  private void addDevices(List<String> commands) throws IOException {
    try (var all = Files.newDirectoryStream(blockDevices, "loop*")) {
      for (Path device : all) {
        String image = image(device);
        if (image.endsWith(LoopDisk.IMAGE_SUFFIX)) {
          addNodes(image, commands);
          String name = "/dev/" + device.getFileName();
          mounts.stream()
              .filter(line -> line.startsWith(name + " "))
              .forEach(line -> commands.add("umount " + line.split(" ", -1)[1]));
          commands.add("losetup --detach " + name);
          commands.add("rm -f " + image);
        }
      }
    }
  }

  /** A node that was being loaded is in no group, but keeps a disk from being unmounted. */
  private static void addNodes(String image, List<String> commands) {
    Path cluster = Path.of(image).getParent().resolveSibling(Dataset.RUNNING);
    String node = "-Dkasane.node.dir=" + cluster + "/";
    ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(node))
        .map(process -> "kill -9 " + process.pid())
        .filter(command -> !commands.contains(command))
        .forEach(commands::add);
  }

  /** Limits of version 1 stay when a device is gone, and would slow down its next user. */
  private void addLimits(List<String> commands) throws IOException {
    if (groups.unified() || groups.io().isEmpty()) {
      return;
    }
    for (String setting : LegacyGroup.settings(0, 0, 0).keySet()) {
      Path file = groups.io().get().resolve(setting);
      for (String line : Files.readAllLines(file)) {
        String[] number = line.split("[: ]", -1);
        if (number[0].equals(LOOP_MAJOR) && isFreeOrOurs("loop" + number[1])) {
          commands.add("echo " + number[0] + ":" + number[1] + " 0 > " + file);
        }
      }
    }
  }

  private boolean isFreeOrOurs(String device) throws IOException {
    String image = image(blockDevices.resolve(device));
    return image.isEmpty() || image.endsWith(LoopDisk.IMAGE_SUFFIX);
  }

  private static String image(Path device) throws IOException {
    Path file = device.resolve("loop/backing_file");
    // Empty for a device that is free; marked when the image was deleted under it.
    return Files.exists(file)
        ? Files.readString(file).strip().replaceFirst(" \\(deleted\\)$", "")
        : "";
  }
}
