/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.disks;

import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import java.util.Arrays;
import java.util.Random;

/**
 * What a data sheet promises for a cell, worked out by queueing arithmetic and not by the model.
 *
 * @param perSecond requests of all jobs
 * @param meanMillis of a request, its time in the queue included
 * @param p99Millis of a request
 */
record Expectation(double perSecond, double meanMillis, double p99Millis) {
  private static final int DRAWS = 100_000;

  /**
   * One head: a request waits for those of all other jobs. One sequential job goes on where the
   * head stands; many take the head away from each other.
   */
  static Expectation of(HardDiskSpec disk, Cell cell) {
    double transfer = cell.blockBytes() * 1e3 / disk.bytesPerSecond();
    if (cell.sequential() && cell.jobs() == 1) {
      return new Expectation(1000 / transfer, transfer, transfer);
    }
    double track = disk.trackSeekNanos() / 1e6;
    double seek = disk.averageSeekNanos() / 1e6;
    double turn = disk.rotationNanos() / 1e6;
    double service = seek + turn / 2 + transfer;
    Random random = new Random(7);
    double[] sums = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      for (int job = 0; job < cell.jobs(); job++) {
        double distance = 1 - Math.sqrt(1 - random.nextDouble()); // density 2 (1 - d)
        double strokeToAverage = Math.sqrt(distance) * 15 / 8; // the mean root distance is 8/15
        sums[i] += track + (seek - track) * strokeToAverage;
        sums[i] += random.nextDouble() * turn + transfer;
      }
    }
    Arrays.sort(sums);
    return new Expectation(1000 / service, cell.jobs() * service, sums[(int) (DRAWS * 0.99)]);
  }

  /** As many requests at once as there are channels, and no more bytes than the bus carries. */
  static Expectation of(SolidStateSpec disk, Cell cell) {
    double transfer = cell.blockBytes() * 1e3 / disk.bytesPerSecond();
    double held = (cell.write() ? disk.writeNanos() : disk.readNanos()) / 1e6;
    double alone = held + transfer;
    double perRequest = Math.max(transfer, alone / Math.min(cell.jobs(), disk.channels()));
    double latency = Math.max(alone, cell.jobs() * perRequest);
    return new Expectation(cell.jobs() * 1000 / latency, latency, latency);
  }
}
