/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.StampedValue;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Version;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** No control at all: one round of reads, or of writes. */
final class PlainSystem extends StoreSystem {
  PlainSystem(ShardedStore store, TransactionNumbers numbers) {
    super(store, numbers);
  }

  @Override
  public TransactionClient connect() {
    return new Client();
  }

  private static <T> T of(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new TransactionFailedException(e.getCause());
    }
  }

  private final class Client implements TransactionClient {
    @Override
    public Reading read(int[] keys) {
      List<Answer> answers =
          of(store.readCommitted(StoreKeys.of(StoreSystems.NONE, keys), Strength.FIRST_ROUND));
      return StoreKeys.reading(keys, answers);
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      StampedValue value = new StampedValue(numbers.next(), keys, payload);
      Version version = StoreKeys.version(value);
      of(
          store.write(
              StoreKeys.of(StoreSystems.NONE, keys).stream()
                  .map(key -> new Write(key, version))
                  .toList()));
      return value.number();
    }

    @Override
    public void close() {}
  }
}
