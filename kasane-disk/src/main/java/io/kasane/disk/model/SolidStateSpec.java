/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import java.util.Locale;

/**
 * The figures of a disk of flash chips.
 *
 * <p>Each request holds one of the channels for a fixed time and its transfer; all channels
 * together transfer no more than the bus carries.
 *
 * @param channels how many requests are worked on at once
 * @param readNanos how long a read holds its channel
 * @param writeNanos how long a write holds its channel
 * @param bytesPerSecond what the bus carries
 * @param readAheadBytes how far the operating system reads ahead of a sequential reader
 */
public record SolidStateSpec(
    int channels, long readNanos, long writeNanos, long bytesPerSecond, long readAheadBytes)
    implements DiskSpec {
  /** A SATA disk of the papers' years: 8 channels, 160 µs a read, 60 µs a write, 500 MB/s. */
  public static final SolidStateSpec SATA =
      new SolidStateSpec(8, 160_000, 60_000, 500_000_000, 128 << 10);

  /** Checks the figures. */
  public SolidStateSpec {
    if (channels < 1 || readNanos < 0 || writeNanos < 0) {
      throw new IllegalArgumentException(
          "channels "
              + channels
              + ", read "
              + readNanos
              + " ns, write "
              + writeNanos
              + " ns; need at least 1, 0 and 0");
    }
    if (bytesPerSecond < 1 || readAheadBytes < 0) {
      throw new IllegalArgumentException(
          "bus "
              + bytesPerSecond
              + " bytes/s, read-ahead "
              + readAheadBytes
              + " bytes; need at least 1 and 0");
    }
  }

  /** Returns how long so many bytes take on the bus. */
  public double transferNanos(long bytes) {
    return bytes * 1e9 / bytesPerSecond;
  }

  @Override
  public Disk open(long seed) {
    return new SolidStateDisk(this);
  }

  @Override
  public SolidStateSpec faster(double factor) {
    return new SolidStateSpec(
        channels,
        Math.round(readNanos / factor),
        Math.round(writeNanos / factor),
        Math.round(bytesPerSecond * factor),
        readAheadBytes);
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%d channels: read %.0f µs, write %.0f µs, bus %.0f MB/s, read-ahead %d KiB",
        channels,
        readNanos / 1e3,
        writeNanos / 1e3,
        bytesPerSecond / 1e6,
        readAheadBytes >> 10);
  }
}
