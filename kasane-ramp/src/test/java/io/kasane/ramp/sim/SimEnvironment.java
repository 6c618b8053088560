/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.Environment;
import java.time.Duration;

/** Time and chance of one client process: its wall clock is off, and may jump. */
final class SimEnvironment implements Environment {
  /** What an exact wall clock shows when a schedule begins. */
  static final long BEGINNING_MICROS = 1_800_000_000_000_000L;

  private final EventLoop loop;
  private final Chance chance;
  private final ClientLink client;
  private final long tickMicros;
  private long skewMicros;

  SimEnvironment(
      EventLoop loop, Chance chance, ClientLink client, long tickMicros, long skewMicros) {
    this.loop = loop;
    this.chance = chance;
    this.client = client;
    this.tickMicros = tickMicros;
    this.skewMicros = skewMicros;
  }

  void jumpTo(long newSkewMicros) {
    skewMicros = newSkewMicros;
  }

  @Override
  public long wallMicros() {
    long exact = BEGINNING_MICROS + loop.nowMicros() + skewMicros;
    return exact - exact % tickMicros;
  }

  @Override
  public long monotonicNanos() {
    return loop.nowMicros() * 1_000;
  }

  @Override
  public long randomLong() {
    return chance.nextLong();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    loop.after(
        delay.toNanos() / 1_000,
        () -> {
          if (client.isAlive()) {
            task.run();
          }
        });
  }

  @Override
  public void warn(String message) {}
}
