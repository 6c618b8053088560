/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import site.ycsb.ClientThread;

/**
 * A timed run of YCSB client threads that each send one operation after another. Latencies count
 * from when an operation was due, so that what waits for a slow one before it counts as slow too.
 */
public final class LoadRun {
  private static final Duration SAMPLE = Duration.ofSeconds(1);

  private final CqlSession session;
  private final int threads;
  private final double rate;
  private final Duration duration;
  private final ConsistencyLevel consistency;
  private volatile long beganNanos;

  /**
   * Describes a run.
   *
   * @param rate operations a second that all threads send together; 0: each sends the next one as
   *     soon as it has an answer
   */
  public LoadRun(CqlSession session, int threads, double rate, Duration duration) {
    this(session, threads, rate, duration, ConsistencyLevel.ONE);
  }

  /**
   * The same at another level of consistency.
   *
   * @param consistency of reads and updates
   */
  public LoadRun(
      CqlSession session,
      int threads,
      double rate,
      Duration duration,
      ConsistencyLevel consistency) {
    this.session = session;
    this.threads = threads;
    this.rate = rate;
    this.duration = duration;
    this.consistency = consistency;
  }

  /**
   * What was answered in about one second.
   *
   * @param atSeconds the end of the second, since the beginning of the run
   * @param seconds its length
   * @param reads how long they took
   * @param updates how long they took
   * @param firstReads reads of rows that no client had read before
   */
  public record Second(
      double atSeconds, double seconds, Latencies reads, Latencies updates, long firstReads) {
    /** Returns the answered operations per second. */
    public double operationsPerSecond() {
      return (reads.count() + updates.count()) / seconds;
    }
  }

  /**
   * Runs the load.
   *
   * @param cells of the rows
   * @param log takes the latencies
   * @param each called after each second
   */
  public void run(
      KeyLaw law,
      Mix mix,
      CheckedCells cells,
      OperationLog log,
      long firstTimestampMicros,
      long seed,
      Consumer<Second> each)
      throws InterruptedException {
    CheckedWorkload workload =
        new CheckedWorkload(law, mix, cells, log, this::progress, firstTimestampMicros, seed);
    CqlBinding binding = new CqlBinding(session, consistency);
    double ratePerThreadAndMilli = rate / threads / 1_000;
    CountDownLatch ended = new CountDownLatch(threads);
    List<Thread> clients = new ArrayList<>();
    beganNanos = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      ClientThread client =
          new ClientThread(
              binding, true, workload, new Properties(), 0, ratePerThreadAndMilli, ended);
      client.setThreadId(i);
      client.setThreadCount(threads);
      Thread thread = new Thread(client, "client-" + i);
      thread.start();
      clients.add(thread);
    }
    try {
      double before = 0;
      while (progress() < 1 && workload.failure() == null) {
        Thread.sleep(SAMPLE.toMillis());
        double now = (System.nanoTime() - beganNanos) / 1e9;
        each.accept(log.take(before, now));
        before = now;
      }
    } finally {
      workload.requestStop();
      for (Thread client : clients) {
        client.join();
      }
    }
    if (workload.failure() != null) {
      throw new IllegalStateException("the load broke off", workload.failure());
    }
  }

  private double progress() {
    return Math.min(1, (System.nanoTime() - beganNanos) / (double) duration.toNanos());
  }
}
