/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A control group around a node. */
interface NodeGroup extends AutoCloseable {
  /** Puts a process and all its threads into the group. */
  void admit(long pid) throws IOException;

  /** Takes what the group's processes have read or written out of the page cache. */
  void emptyPageCache() throws IOException;

  /** Limits what the group may ask of a disk, what is written for it later included. */
  void limit(DeviceNumber device, DiskLimits limits) throws IOException;

  /** Returns how much memory it takes beside the page cache, the kernel's for it too, in bytes. */
  long besideFilesBytes() throws IOException;

  /** Limits memory, that of processes and the page cache together; what is too much goes. */
  void limitMemory(long bytes) throws IOException;

  /** Ends all limits and removes the group; its processes must have ended. */
  @Override
  void close() throws IOException;

  /** Reads a number from a file that has a name and a number a line. */
  static long number(Path statistics, String name) throws IOException {
    for (String line : Files.readAllLines(statistics)) {
      if (line.startsWith(name + " ")) {
        return Long.parseLong(line.substring(name.length() + 1).strip());
      }
    }
    throw new IOException(statistics + " has no " + name);
  }

  /** Writes a setting, which must exist: the kernel makes these files. */
  static void set(Path setting, String value) throws IOException {
    Files.writeString(setting, value, StandardOpenOption.WRITE);
  }
}
