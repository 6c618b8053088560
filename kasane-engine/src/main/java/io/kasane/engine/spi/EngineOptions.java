/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What an operator grants an engine.
 *
 * @param directory where all its files lie; made if it does not exist
 * @param capacityBytes the most that it may take on its disk, for engines that have a bound
 * @param memoryBytes the most that it may take of the process's memory outside the heap, for caches
 *     and buffers; what the operating system caches of its files is not counted
 * @param durability what survives a crash of the machine
 * @param server the operator's server that it is to keep its tables in; empty for files of its own
 */
public record EngineOptions(
    Path directory,
    long capacityBytes,
    long memoryBytes,
    Durability durability,
    Optional<EngineServer> server) {
  /** The least that any engine works with. */
  public static final long MIN_BYTES = 16L << 20;

  /** What a batch survives once the engine has synced. Every level survives a killed process. */
  public enum Durability {
    /** {@link Engine#sync} returns when the disk has all: nothing is lost in a power failure. */
    SYNC,
    /**
     * {@link Engine#sync} leaves it to the operating system when the disk gets it. A power failure
     * may lose batches that were synced, or the whole engine: for data that can be loaded again.
     */
    NONE
  }

  /** An engine with files of its own. */
  public EngineOptions(
      Path directory, long capacityBytes, long memoryBytes, Durability durability) {
    this(directory, capacityBytes, memoryBytes, durability, Optional.empty());
  }

  /** Checks the bounds. */
  public EngineOptions {
    requireAtLeast("capacityBytes", capacityBytes);
    requireAtLeast("memoryBytes", memoryBytes);
  }

  private static void requireAtLeast(String name, long bytes) {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          name + " is " + bytes + ", and must be at least " + MIN_BYTES);
    }
  }
}
