/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.load.KeyedDb;
import site.ycsb.Status;

/**
 * YCSB's database interface with transactions: what a client calls between {@link #begin} and
 * {@link #commit} happens together, at commit. One client uses it.
 */
public abstract class TransactionDb extends KeyedDb {
  /** Begins a transaction; one that was not committed is forgotten. */
  public abstract void begin();

  /** Does what was called since {@link #begin}; results are there afterwards. */
  public abstract Status commit();
}
