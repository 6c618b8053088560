/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import io.kasane.bench.ramp.system.TransactionSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes every key some times over before anything is measured: keys that were written once only
 * show neither old versions nor what a store has to merge.
 */
public final class Ageing {
  /** Writes that fail are sent again this many times: two cores may be busy for a while. */
  private static final int ATTEMPTS = 5;

  private Ageing() {}

  /**
   * Writes all keys {@code passes} times, in transactions of the load's size, each pass in another
   * order.
   */
  public static void age(TransactionSystem system, TransactionLoad load, int passes)
      throws InterruptedException {
    SplittableRandom random = new SplittableRandom(load.seed());
    for (int pass = 0; pass < passes; pass++) {
      pass(system, load, shuffled(load.keys(), random));
    }
  }

  private static void pass(TransactionSystem system, TransactionLoad load, int[] order)
      throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < load.clients(); i++) {
      long seed = load.seed() * 31 + i;
      Thread thread =
          new Thread(
              () -> {
                try (TransactionClient client = system.connect()) {
                  write(client, load, order, next, new SplittableRandom(seed));
                } catch (RuntimeException e) {
                  failure.compareAndSet(null, e);
                  next.set(order.length);
                }
              },
              "ageing-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("keys could not be written", failure.get());
    }
  }

  private static void write(
      TransactionClient client,
      TransactionLoad load,
      int[] order,
      AtomicInteger next,
      SplittableRandom random) {
    int from = next.getAndAdd(load.size());
    while (from >= 0 && from < order.length) {
      byte[] payload = new byte[load.valueBytes()];
      random.nextBytes(payload);
      int to = Math.min(order.length, from + load.size());
      write(client, Arrays.copyOfRange(order, from, to), payload);
      from = next.getAndAdd(load.size());
    }
  }

  private static void write(TransactionClient client, int[] keys, byte[] payload) {
    for (int attempt = 1; ; attempt++) {
      try {
        client.write(keys, payload);
        return;
      } catch (TransactionFailedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static int[] shuffled(int keys, SplittableRandom random) {
    int[] order = new int[keys];
    for (int i = 0; i < keys; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
