/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

import java.util.Arrays;

/** Channels of fixed latency before a shared bus. */
final class SolidStateDisk implements Disk {
  private final SolidStateSpec spec;
  private final long[] channelFreeAt;
  private long busFreeAt = Long.MIN_VALUE;
  private long busyNanos;

  SolidStateDisk(SolidStateSpec spec) {
    this.spec = spec;
    this.channelFreeAt = new long[spec.channels()];
    Arrays.fill(channelFreeAt, Long.MIN_VALUE);
  }

  @Override
  public long submit(Request request, long now) {
    int channel = 0;
    for (int i = 1; i < channelFreeAt.length; i++) {
      if (channelFreeAt[i] < channelFreeAt[channel]) {
        channel = i;
      }
    }
    long held = request.write() ? spec.writeNanos() : spec.readNanos();
    long ready = Math.max(now, channelFreeAt[channel]) + held;
    long transfer = (long) spec.transferNanos(request.bytes());
    // The bus is a limit on bytes, not a second queue: a quick write need not wait for slow reads.
    busFreeAt = Math.max(now, busFreeAt) + transfer;
    long done = Math.max(ready + transfer, busFreeAt);
    channelFreeAt[channel] = done;
    busyNanos += (held + transfer) / channelFreeAt.length;
    return done;
  }

  @Override
  public long busyNanos() {
    return busyNanos;
  }
}
