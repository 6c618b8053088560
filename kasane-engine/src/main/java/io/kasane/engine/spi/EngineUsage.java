/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.io.File;
import java.nio.file.Path;

/**
 * What an engine takes.
 *
 * @param diskBytes of files, including what is free within them
 * @param capacityBytes the most that it may take on its disk; {@link Long#MAX_VALUE} without bound
 * @param memoryBytes outside the heap, without what the operating system caches of its files
 * @param tables how many it has
 */
public record EngineUsage(long diskBytes, long capacityBytes, long memoryBytes, int tables) {
  /** Returns how long all files of a directory are; files may come and go meanwhile. */
  public static long bytesIn(Path directory) {
    File[] files = directory.toFile().listFiles();
    long bytes = 0;
    for (File file : files == null ? new File[0] : files) {
      bytes += file.length();
    }
    return bytes;
  }

  /**
   * Returns how long the files of a directory could become: its disk may have less room than the
   * capacity.
   *
   * @param bytes how long they are
   */
  public static long mostBytesIn(Path directory, long bytes) {
    return bytes + directory.toFile().getUsableSpace();
  }
}
