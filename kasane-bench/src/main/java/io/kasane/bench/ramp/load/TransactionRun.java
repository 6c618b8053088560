/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import site.ycsb.ClientThread;

/** A timed run of YCSB client threads that each send one transaction after another. */
public final class TransactionRun {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final TransactionSystem system;
  private final TransactionLoad load;
  private final KeyLaw law;
  private final AtomicReference<TransactionLog> log = new AtomicReference<>(new TransactionLog());

  /** Describes a run; nothing is sent yet. */
  public TransactionRun(TransactionSystem system, TransactionLoad load, KeyLaw law) {
    this.system = system;
    this.load = load;
    this.law = law;
  }

  /**
   * Runs the load.
   *
   * @param warmUp goes before and is not measured
   */
  public RunResult run(Duration warmUp, Duration duration) throws InterruptedException {
    GroupedWorkload workload = new GroupedWorkload(load, law, log);
    CountDownLatch ended = new CountDownLatch(load.clients());
    List<TransactionClient> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < load.clients(); i++) {
        TransactionClient client = system.connect();
        clients.add(client);
        ClientThread thread =
            new ClientThread(
                new SystemBinding(client), true, workload, new Properties(), 0, 0, ended);
        thread.setThreadId(i);
        thread.setThreadCount(load.clients());
        threads.add(new Thread(thread, "client-" + i));
      }
      threads.forEach(Thread::start);
      await(workload, warmUp);
      TransactionLog measured = new TransactionLog();
      long began = System.nanoTime();
      log.set(measured);
      await(workload, duration);
      double seconds = (System.nanoTime() - began) / 1e9;
      // What began in time is counted though it ends a little later, as what began before is not.
      log.set(new TransactionLog());
      stop(workload, threads);
      return measured.result(seconds);
    } finally {
      stop(workload, threads);
      clients.forEach(TransactionClient::close);
    }
  }

  private static void await(GroupedWorkload workload, Duration duration)
      throws InterruptedException {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      if (workload.failure() != null) {
        throw new IllegalStateException("the load broke off", workload.failure());
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  private static void stop(GroupedWorkload workload, List<Thread> threads)
      throws InterruptedException {
    workload.requestStop();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
