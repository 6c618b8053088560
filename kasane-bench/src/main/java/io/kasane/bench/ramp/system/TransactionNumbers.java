/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers of transactions: microseconds since 1970, each given out once, so that they serve as
 * Cassandra's write timestamps too. All clients of one process share them. Thread-safe.
 */
public final class TransactionNumbers {
  private final AtomicLong last = new AtomicLong();

  /** A number above all before it. */
  public long next() {
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return last.updateAndGet(before -> Math.max(before + 1, now));
  }
}
