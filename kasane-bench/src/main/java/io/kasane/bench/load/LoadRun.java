/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
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
  private volatile long beganNanos;

  /**
   * Describes a run.
   *
   * @param rate operations a second that all threads send together; 0: each sends the next one as
   *     soon as it has an answer
   */
  public LoadRun(CqlSession session, int threads, double rate, Duration duration) {
    this.session = session;
    this.threads = threads;
    this.rate = rate;
    this.duration = duration;
  }

  /**
   * What was answered in about one second.
   *
   * @param atSeconds the end of the second, since the beginning of the run
   * @param seconds its length
   * @param reads latencies in microseconds
   * @param updates latencies in microseconds
   * @param firstReads reads of rows that no client had read before
   */
  public record Second(
      double atSeconds, double seconds, Histogram reads, Histogram updates, long firstReads) {
    /** Returns the answered operations per second. */
    public double operationsPerSecond() {
      return (reads.getTotalCount() + updates.getTotalCount()) / seconds;
    }
  }

  /**
   * Runs the load.
   *
   * @param cells of the rows
   * @param log takes the latencies
   * @param each called after each second
   * @return the run, second by second
   */
  public List<Second> run(
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
    CqlBinding binding = new CqlBinding(session);
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
    List<Second> seconds = new ArrayList<>();
    try {
      long before = beganNanos;
      while (progress() < 1 && workload.failure() == null) {
        Thread.sleep(SAMPLE.toMillis());
        long now = System.nanoTime();
        Second second =
            new Second(
                (now - beganNanos) / 1e9,
                (now - before) / 1e9,
                log.takeReads(),
                log.takeUpdates(),
                log.takeFirstReads());
        before = now;
        seconds.add(second);
        each.accept(second);
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
    return seconds;
  }

  private double progress() {
    return Math.min(1, (System.nanoTime() - beganNanos) / (double) duration.toNanos());
  }
}
