/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import java.util.Locale;

/**
 * The figures of a disk with one head.
 *
 * <p>A random request costs a seek, the wait for its sector to come round, and its transfer. Both
 * ends of a seek are uniform over the disk; its time grows with the root of the distance, from
 * {@code trackSeekNanos} to the full stroke that makes the mean {@code averageSeekNanos}. A request
 * that goes on where the head stands costs its transfer alone.
 *
 * @param averageSeekNanos mean seek between two random places
 * @param trackSeekNanos seek to the next track
 * @param rotationNanos one turn
 * @param bytesPerSecond transfer from or to the platter
 * @param readAheadBytes how far the operating system reads ahead of a sequential reader
 */
public record HardDiskSpec(
    long averageSeekNanos,
    long trackSeekNanos,
    long rotationNanos,
    long bytesPerSecond,
    long readAheadBytes)
    implements DiskSpec {
  /**
   * A 3.5-inch SATA disk of 500 GB at 7,200 turns a minute, as the papers used: 8.5 ms mean seek,
   * 0.8 ms from track to track, 125 MB/s. About 79 random reads per second.
   */
  public static final HardDiskSpec SATA_7200 =
      new HardDiskSpec(8_500_000, 800_000, 60_000_000_000L / 7_200, 125_000_000, 800 << 10);

  /** The mean root of the distance of two random places on a line of length one. */
  private static final double MEAN_ROOT_DISTANCE = 8.0 / 15;

  /** Checks the figures. */
  public HardDiskSpec {
    if (trackSeekNanos < 0 || averageSeekNanos < trackSeekNanos) {
      throw new IllegalArgumentException(
          "seek: track "
              + trackSeekNanos
              + " ns, average "
              + averageSeekNanos
              + " ns; need 0 <= track <= average");
    }
    if (rotationNanos < 0 || bytesPerSecond < 1 || readAheadBytes < 0) {
      throw new IllegalArgumentException(
          "rotation "
              + rotationNanos
              + " ns, transfer "
              + bytesPerSecond
              + " bytes/s, read-ahead "
              + readAheadBytes
              + " bytes; need at least 0, 1 and 0");
    }
  }

  /** Returns the seek between two places whose distance is this share of the disk. */
  public double seekNanos(double distance) {
    double fullStroke = (averageSeekNanos - trackSeekNanos) / MEAN_ROOT_DISTANCE;
    return trackSeekNanos + fullStroke * Math.sqrt(distance);
  }

  /** Returns how long so many bytes pass under the head. */
  public double transferNanos(long bytes) {
    return bytes * 1e9 / bytesPerSecond;
  }

  /** Returns how long a read of so many bytes at a random place takes, on average. */
  public double randomReadNanos(long bytes) {
    return averageSeekNanos + rotationNanos / 2.0 + transferNanos(bytes);
  }

  @Override
  public Disk open(long seed) {
    return new HardDisk(this, seed);
  }

  @Override
  public HardDiskSpec faster(double factor) {
    return new HardDiskSpec(
        Math.round(averageSeekNanos / factor),
        Math.round(trackSeekNanos / factor),
        Math.round(rotationNanos / factor),
        Math.round(bytesPerSecond * factor),
        readAheadBytes);
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "one head, FIFO: seek %.2f ms (track %.2f), turn %.2f ms, %.0f MB/s, read-ahead %d KiB",
        averageSeekNanos / 1e6,
        trackSeekNanos / 1e6,
        rotationNanos / 1e6,
        bytesPerSecond / 1e6,
        readAheadBytes >> 10);
  }
}
