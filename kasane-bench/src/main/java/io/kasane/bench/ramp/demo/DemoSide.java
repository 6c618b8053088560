/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.demo;

import io.kasane.bench.ramp.load.Fractures;
import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import io.kasane.bench.ramp.system.TransactionSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** One system under load: some people follow and unfollow, others read both lists. */
final class DemoSide implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int READERS = 4;
  private static final int ATTEMPTS = 5;

  private final TransactionSystem system;
  private final LongAdder writes = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder halves = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> lastContradiction = new AtomicReference<>();
  private final AtomicReference<Throwable> mistake = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  /** A side whose lists are written once. */
  DemoSide(TransactionSystem system) {
    this.system = system;
    try (TransactionClient client = system.connect()) {
      for (int pair = 0; pair < FollowerLists.pairs(); pair++) {
        writeFirst(client, pair);
      }
    }
  }

  /** The nodes have just begun and may be slow to answer. */
  private static void writeFirst(TransactionClient client, int pair) {
    for (int attempt = 1; ; attempt++) {
      try {
        client.write(FollowerLists.entries(pair), FollowerLists.entry(false));
        return;
      } catch (TransactionFailedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** What was seen so far. */
  record Counts(long writes, long reads, long halves, long failed, String lastContradiction) {}

  void start() {
    for (int i = 0; i < WRITERS + READERS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      BiConsumer<TransactionClient, SplittableRandom> work = i < WRITERS ? this::write : this::read;
      Thread thread = new Thread(() -> repeat(work, random), "demo-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  Counts counts() {
    if (mistake.get() != null) {
      throw new IllegalStateException("the load broke off", mistake.get());
    }
    return new Counts(
        writes.sum(), reads.sum(), halves.sum(), failed.sum(), lastContradiction.get());
  }

  private void repeat(
      BiConsumer<TransactionClient, SplittableRandom> work, SplittableRandom random) {
    try (TransactionClient client = system.connect()) {
      while (!stopping) {
        try {
          work.accept(client, random);
        } catch (TransactionFailedException e) {
          failed.increment();
        }
      }
    } catch (RuntimeException e) {
      mistake.compareAndSet(null, e);
    }
  }

  private void write(TransactionClient client, SplittableRandom random) {
    int pair = random.nextInt(FollowerLists.pairs());
    client.write(FollowerLists.entries(pair), FollowerLists.entry(random.nextBoolean()));
    writes.increment();
  }

  private void read(TransactionClient client, SplittableRandom random) {
    int pair = random.nextInt(FollowerLists.pairs());
    Reading reading = client.read(FollowerLists.entries(pair));
    reads.increment();
    if (Fractures.isFractured(reading)) {
      halves.increment();
      FollowerLists.contradiction(pair, reading).ifPresent(lastContradiction::set);
    }
  }

  /** Waits for what is on its way. */
  void stop() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    system.close();
  }
}
