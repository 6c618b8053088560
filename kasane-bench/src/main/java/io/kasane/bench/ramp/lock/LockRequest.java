/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

/** The wish for some keys, all of them in one mode. Guarded by its {@link LockTable}. */
public final class LockRequest {
  final long id;
  final boolean exclusive;
  final long[] keys;

  /** How many of the keys it has, from the first one. */
  int held;

  /** Whether everything was given back. */
  boolean done;

  /** When the lease ends; meaningful once all keys are held. */
  long leaseEndNanos;

  /**
   * A wish.
   *
   * @param id by which the client knows it
   * @param keys ascending, each once: all clients wait in this order, so that none waits for
   *     another that waits for it
   */
  public LockRequest(long id, boolean exclusive, long[] keys) {
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] >= keys[i]) {
        throw new IllegalArgumentException(
            "keys are not ascending: " + keys[i - 1] + " before " + keys[i]);
      }
    }
    this.id = id;
    this.exclusive = exclusive;
    this.keys = keys;
  }

  boolean isGranted() {
    return held == keys.length;
  }
}
