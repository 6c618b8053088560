/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system on a loop device on a sparse file. */
final class LoopDisk {
  /** Images of ours end so. */
  static final String IMAGE_SUFFIX = ".kasane-bench.img";

  /** A node has some hundreds of files; tables for more would take time and room to write. */
  private static final int INODES = 65_536;

  private static final int TRIES = 50;

  private final Path image;
  private final Path directory;
  private Path device;
  private boolean mounted;

  /**
   * Describes a disk; nothing is done yet.
   *
   * @param parent where the image and the mount point are to be
   */
  LoopDisk(Path parent, String name) {
    this.image = parent.resolve(name + IMAGE_SUFFIX);
    this.directory = parent.resolve(name);
  }

  /** Returns where the file system is mounted. */
  Path directory() {
    return directory;
  }

  /** Returns the device's number. */
  DeviceNumber device() throws IOException {
    return DeviceNumber.named(device);
  }

  /** Makes and mounts the file system. */
  void open(long sizeBytes, long readAheadBytes) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(sizeBytes);
    }
    // Not lazily: the kernel would write tables in the background, while a trial is measured.
    String extended = "lazy_itable_init=0,lazy_journal_init=0";
    Tool.run("mkfs.ext4", "-q", "-F", "-m", 0, "-N", INODES, "-E", extended, image);
    device = Path.of(Tool.run("losetup", "--find", "--show", "--direct-io=on", image));
    Path settings = Path.of("/sys/block").resolve(device.getFileName());
    if (!Files.readString(settings.resolve("loop/dio")).strip().equals("1")) {
      throw new NodeException(
          "--disks loop: the file system of "
              + image
              + " does not do direct I/O, so the machine's memory would hide the disk. Name a"
              + " directory on ext4 or XFS with --work, or use --disks model.");
    }
    NodeGroup.set(settings.resolve("queue/read_ahead_kb"), Long.toString(readAheadBytes >> 10));
    Tool.run("mount", "-t", "ext4", "-o", "noatime", device, directory);
    mounted = true;
  }

  /** Unmounts and removes it; does nothing if it is not there. */
  void close() throws IOException, InterruptedException {
    if (mounted) {
      unmount();
      mounted = false;
    }
    if (device != null) {
      Tool.run("losetup", "--detach", device);
      device = null;
    }
    Files.deleteIfExists(image);
  }

  private void unmount() throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        Tool.run("umount", directory);
        return;
      } catch (NodeException e) {
        if (i == TRIES) {
          throw e;
        }
        GroupTurn.pause();
      }
    }
  }
}
