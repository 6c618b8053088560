/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.ramp.system.TransactionSystem;

/** A system over a store that stays the caller's. */
abstract class StoreSystem implements TransactionSystem {
  final ShardedStore store;
  final TransactionNumbers numbers;

  StoreSystem(ShardedStore store, TransactionNumbers numbers) {
    this.store = store;
    this.numbers = numbers;
  }

  @Override
  public final void close() {}
}
