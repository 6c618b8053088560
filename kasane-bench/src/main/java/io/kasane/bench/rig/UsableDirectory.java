/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a directory must be, to hold data of an experiment. */
final class UsableDirectory {
  /** The data, what compaction makes of them, and templates of placed rows. */
  private static final int ROOM_TIMES_DATA = 8;

  private UsableDirectory() {}

  /** Returns the directory's real path, or refuses it. */
  static Path check(String option, Path directory, long dataBytes) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new NodeException(option + ": " + directory + " is no directory. Create it first.");
    }
    if (!Files.isWritable(directory)) {
      throw new NodeException(
          option + ": " + directory + " cannot be written to by this user. Change its owner.");
    }
    Path folder = directory.resolve(DirectoryRig.FOLDER);
    if (Files.exists(folder)) {
      throw new NodeException(
          option
              + ": "
              + folder
              + " is there already: an earlier run was killed, or one still runs. If none runs,"
              + " remove it: rm -r "
              + folder);
    }
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < ROOM_TIMES_DATA * dataBytes) {
      throw new NodeException(
          option
              + ": "
              + directory
              + " has "
              + (free >> 20)
              + " MiB free; this scale may take "
              + ((ROOM_TIMES_DATA * dataBytes) >> 20)
              + " MiB. Name another, or a smaller --scale.");
    }
    return directory.toRealPath();
  }

  /** Refuses two directories of which one lies in the other. */
  static void requireApart(String option, Path one, String other, Path two) {
    Path first = one.toAbsolutePath().normalize();
    Path second = two.toAbsolutePath().normalize();
    if (first.startsWith(second) || second.startsWith(first)) {
      throw new NodeException(
          option + " " + one + " and " + other + " " + two + ": one lies in the other. Name two.");
    }
  }
}
