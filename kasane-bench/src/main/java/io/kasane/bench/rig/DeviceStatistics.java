/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a block device has done since the machine started.
 *
 * @param reads read requests
 * @param readBytes bytes read
 * @param writes write requests
 * @param writtenBytes bytes written
 * @param busyNanos time with at least one request in the device
 */
record DeviceStatistics(
    long reads, long readBytes, long writes, long writtenBytes, long busyNanos) {
  private static final Path FILE = Path.of("/proc/diskstats");
  private static final int SECTOR_BYTES = 512;
  private static final int BUSY_COLUMN = 12;

  /** Asks the kernel; empty if it counts no such device. */
  static Optional<DeviceStatistics> of(DeviceNumber device) throws IOException {
    return Files.isReadable(FILE) ? parse(Files.readAllLines(FILE), device) : Optional.empty();
  }

  static Optional<DeviceStatistics> parse(List<String> lines, DeviceNumber device) {
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(column -> column.length > BUSY_COLUMN)
        .filter(column -> device.toString().equals(column[0] + ":" + column[1]))
        .findFirst()
        .map(
            column ->
                new DeviceStatistics(
                    Long.parseLong(column[3]),
                    Long.parseLong(column[5]) * SECTOR_BYTES,
                    Long.parseLong(column[7]),
                    Long.parseLong(column[9]) * SECTOR_BYTES,
                    Long.parseLong(column[BUSY_COLUMN]) * 1_000_000));
  }
}
