/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.util.concurrent.locks.LockSupport;

/** What a thread that polls does while nothing comes: the longer nothing came, the less often. */
public final class Idling {
  private static final int SPINS = 2_000;
  private static final int YIELDS = 4_000;
  private static final int SHORT_PARKS = 4_400;
  private static final long SHORT_NANOS = 50_000;
  private static final long LONG_NANOS = 5_000_000;

  private int idle;

  /** Something came. */
  public void reset() {
    idle = 0;
  }

  /** Nothing came. */
  @SuppressWarnings("ThreadPriorityCheck") // two sides that poll may share a core
  public void idle() {
    if (idle < SPINS) {
      Thread.onSpinWait();
    } else if (idle < YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(idle < SHORT_PARKS ? SHORT_NANOS : LONG_NANOS);
    }
    idle = Math.min(SHORT_PARKS, idle + 1);
  }
}
