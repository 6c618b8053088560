/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Jobs that each ask for the next request when they have the last: what a disk benchmark does. */
final class ClosedLoop {
  private final long[] latencies;
  private final double perSecond;

  private ClosedLoop(long[] latencies, double perSecond) {
    this.latencies = latencies;
    this.perSecond = perSecond;
  }

  static ClosedLoop run(
      Disk disk, int jobs, boolean sequential, boolean write, long bytes, int requests) {
    SplittableRandom random = new SplittableRandom(11);
    long[] latencies = new long[requests];
    long[] readyAt = new long[jobs];
    long[] offsets = new long[jobs];
    for (int i = 0; i < requests; i++) {
      int job = 0;
      for (int other = 1; other < jobs; other++) {
        if (readyAt[other] < readyAt[job]) {
          job = other;
        }
      }
      long offset = sequential ? offsets[job] : random.nextLong(1L << 40);
      offsets[job] = offset + bytes;
      long now = readyAt[job];
      readyAt[job] = disk.submit(new Request(job, offset, bytes, write), now);
      latencies[i] = readyAt[job] - now;
    }
    long end = Arrays.stream(readyAt).max().orElseThrow();
    return new ClosedLoop(latencies, requests * 1e9 / end);
  }

  double perSecond() {
    return perSecond;
  }

  double meanMillis() {
    return Arrays.stream(latencies).average().orElseThrow() / 1e6;
  }

  double percentileMillis(double percent) {
    long[] sorted = latencies.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * percent / 100)] / 1e6;
  }
}
