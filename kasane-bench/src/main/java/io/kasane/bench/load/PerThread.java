/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A generator of random numbers for each thread, from one seed. */
final class PerThread {
  private PerThread() {}

  static ThreadLocal<SplittableRandom> randoms(long seed) {
    AtomicLong next = new AtomicLong(seed * 1_000_003);
    return ThreadLocal.withInitial(() -> new SplittableRandom(next.getAndIncrement()));
  }
}
