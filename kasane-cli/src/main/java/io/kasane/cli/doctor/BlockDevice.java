/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The block device under a directory, as Linux numbers it.
 *
 * @param number the device number of the file system
 */
record BlockDevice(long number) {

  /** Returns the device that holds the path or, before it exists, its nearest parent. */
  static Optional<BlockDevice> of(Path path) {
    try {
      return Optional.of(
          new BlockDevice(((Number) Files.getAttribute(existing(path), "unix:dev")).longValue()));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the path itself or, before it exists, its nearest parent that does. */
  static Path existing(Path path) {
    Path candidate = path.toAbsolutePath().normalize();
    while (!Files.exists(candidate) && candidate.getParent() != null) {
      candidate = candidate.getParent();
    }
    return candidate;
  }

  /**
   * Returns whether the disk turns; empty when the kernel does not tell (RAM, network, overlay).
   */
  Optional<Boolean> rotational() {
    long major = ((number >>> 8) & 0xfff) | ((number >>> 32) & ~0xfffL);
    long minor = (number & 0xff) | ((number >>> 12) & 0xffffff00L);
    try {
      Path device = Path.of("/sys/dev/block", major + ":" + minor).toRealPath();
      // A partition has no queue of its own: its disk, one level up, does.
      for (Path candidate : new Path[] {device, device.getParent()}) {
        Path flag = candidate.resolve("queue/rotational");
        if (Files.isReadable(flag)) {
          return Optional.of(Files.readString(flag).strip().equals("1"));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
