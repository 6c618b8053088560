/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel calls a block device: {@code major:minor}. */
record DeviceNumber(int major, int minor) {
  /** Returns the device that a file lies on; major 0 where a file system has none of its own. */
  static DeviceNumber under(Path file) throws IOException {
    return decode((Long) Files.getAttribute(file, "unix:dev"));
  }

  /** Returns the device that a device file stands for. */
  static DeviceNumber named(Path deviceFile) throws IOException {
    return decode((Long) Files.getAttribute(deviceFile, "unix:rdev"));
  }

  /** Takes apart the C library's number: 12 and 20 bits of major, 8 and 12 of minor. */
  static DeviceNumber decode(long number) {
    int major = (int) (((number >>> 8) & 0xfff) | ((number >>> 32) & 0xfffff000L));
    int minor = (int) ((number & 0xff) | ((number >>> 12) & 0xffffff00L));
    return new DeviceNumber(major, minor);
  }

  @Override
  public String toString() {
    return major + ":" + minor;
  }
}
