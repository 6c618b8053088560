/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

/**
 * A limit that follows the free space of the disk. It falls at once, and rises only when a full
 * step (a 64th) more is free. A limit that wavers moves rows. Not thread-safe.
 */
public final class SteppedLimit {
  /** For a 64th of the limit no rows need to move. */
  private static final int STEPS = 64;

  private long bytes = Long.MAX_VALUE;

  public long bytes() {
    return bytes;
  }

  /**
   * Takes note of what is there.
   *
   * @param foundBytes what is there for us now
   * @param mostBytes the limit of an empty disk
   */
  public void follow(long foundBytes, long mostBytes) {
    long step = Math.max(1, mostBytes / STEPS);
    bytes =
        foundBytes < Math.min(mostBytes, bytes)
            ? foundBytes / step * step
            : Math.max(bytes, (foundBytes - step) / step * step);
  }
}
