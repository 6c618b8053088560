/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.control.CopyThrottle;
import io.kasane.copies.control.RateLimiter;
import java.util.concurrent.TimeUnit;

/**
 * How much of a table may be read to be copied, by what an operator allows and what reads wait for.
 * Observed by one thread, used by another.
 */
final class CopyPace {

  /** The limit is a share of each second. */
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CopyContext table;
  private final RateLimiter rows = new RateLimiter(System::nanoTime);
  private final RateLimiter bytes = new RateLimiter(System::nanoTime);
  private final RateLimiter workNanos = new RateLimiter(System::nanoTime);
  private final CopyThrottle throttle = new CopyThrottle();

  CopyPace(CopyContext table) {
    this.table = table;
  }

  /** Called about once a second. */
  void observe(double processorLoad) {
    throttle.observe(table.slowLookUps(), table.slowWaits(), processorLoad);
  }

  /** For how long to work now, 0 or more. */
  long nanos() {
    double share = table.limits().always() ? 1 : throttle.timeShare();
    return workNanos.allowed((long) (share * SECOND_NANOS));
  }

  void worked(long nanos) {
    workNanos.passed(nanos);
  }

  /** How many rows to read now, 0 or more. */
  long rows() {
    return rows.allowed(table.limits().rowsPerSecond());
  }

  /** How many bytes of rows to read now, 0 or more. */
  long bytes() {
    return bytes.allowed(table.limits().bytesPerSecond());
  }

  void read(int rowCount, long byteCount) {
    rows.passed(rowCount);
    bytes.passed(byteCount);
  }
}
