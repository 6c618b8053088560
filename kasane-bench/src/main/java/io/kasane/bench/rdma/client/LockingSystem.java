/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.StampedValue;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.version.ItemKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Strict two-phase locking at the servers, all keys of a transaction at once: a server answers a
 * request for locks with what it locked, and takes what is written with what gives them back.
 */
final class LockingSystem extends StoreSystem {
  LockingSystem(ShardedStore store, TransactionNumbers numbers) {
    super(store, numbers);
  }

  @Override
  public TransactionClient connect() {
    return new Client();
  }

  private final class Client implements TransactionClient {
    private final Link[] links = store.borrow();

    @Override
    public Reading read(int[] keys) {
      List<ItemKey> wanted = StoreKeys.of(StoreSystems.LOCKS, keys);
      try {
        List<Answer> answers = store.lock(links, false, wanted);
        store.unlock(links, wanted, Optional.empty());
        return StoreKeys.reading(keys, answers);
      } catch (IOException e) {
        throw new TransactionFailedException(e);
      }
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      List<ItemKey> wanted = StoreKeys.of(StoreSystems.LOCKS, keys);
      try {
        store.lock(links, true, wanted);
        // A number drawn under the locks: whoever has them later has a higher one.
        StampedValue value = new StampedValue(numbers.next(), keys, payload);
        store.unlock(links, wanted, Optional.of(StoreKeys.version(value)));
        return value.number();
      } catch (IOException e) {
        throw new TransactionFailedException(e);
      }
    }

    /** A server takes back the locks of whoever goes. */
    @Override
    public void close() {
      ShardedStore.close(links);
    }
  }
}
