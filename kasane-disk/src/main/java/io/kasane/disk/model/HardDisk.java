/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import java.util.SplittableRandom;

/** One head that serves requests in the order they come. */
final class HardDisk implements Disk {
  private final HardDiskSpec spec;
  private final SplittableRandom random;
  private long headFileId;
  private long headOffset = -1;
  private long freeAt = Long.MIN_VALUE;
  private long busyNanos;

  HardDisk(HardDiskSpec spec, long seed) {
    this.spec = spec;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public long submit(Request request, long now) {
    boolean goesOn = request.fileId() == headFileId && request.offset() == headOffset;
    double service = spec.transferNanos(request.bytes());
    if (!goesOn) {
      double from = random.nextDouble();
      double to = random.nextDouble();
      service += spec.seekNanos(Math.abs(to - from)) + random.nextDouble() * spec.rotationNanos();
    }
    headFileId = request.fileId();
    headOffset = request.offset() + request.bytes();
    freeAt = Math.max(now, freeAt) + (long) service;
    busyNanos += (long) service;
    return freeAt;
  }

  @Override
  public long busyNanos() {
    return busyNanos;
  }
}
