/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that read and write tables, one thread each, while their memtables are flushed all the
 * time, so that flushes and compactions are always under way.
 */
final class Traffic implements AutoCloseable {
  private static final int FLUSH_PAUSE_MILLIS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final List<Future<?>> running = new ArrayList<>();
  private final int pauseMillis;

  private Traffic(int pauseMillis) {
    this.pauseMillis = pauseMillis;
  }

  static Traffic start(
      LocalNode node, List<CheckedTable<?>> tables, double readShare, Random random) {
    return start(List.of(node), tables, readShare, 0, random);
  }

  /** The same of several nodes, all of which flush. */
  static Traffic start(
      List<LocalNode> nodes, List<CheckedTable<?>> tables, double readShare, Random random) {
    return start(nodes, tables, readShare, 0, random);
  }

  /**
   * The same of clients that rest.
   *
   * @param pauseMillis after each answer, and in addition after each flush
   */
  static Traffic start(
      List<LocalNode> nodes,
      List<CheckedTable<?>> tables,
      double readShare,
      int pauseMillis,
      Random random) {
    Traffic traffic = new Traffic(pauseMillis);
    for (CheckedTable<?> table : tables) {
      Random own = new Random(random.nextLong());
      traffic.running.add(traffic.threads.submit(() -> traffic.load(table, readShare, own)));
    }
    for (LocalNode node : nodes) {
      Random own = new Random(random.nextLong());
      traffic.running.add(traffic.threads.submit(() -> traffic.flush(node, tables, own)));
    }
    return traffic;
  }

  /** From now on the node may go away. */
  void endsNow() {
    ends.set(true);
  }

  /** Waits for all clients; fails if one of them read something wrong or failed before the end. */
  void await() throws InterruptedException {
    for (Future<?> client : running) {
      try {
        client.get();
      } catch (ExecutionException e) {
        throw new AssertionError(e.getCause().toString(), e.getCause());
      }
    }
  }

  private void load(CheckedTable<?> table, double readShare, Random random) {
    boolean answered = true;
    while (answered && !ends.get()) {
      answered = table.step(random, readShare);
      rest();
    }
    if (!answered && !ends.get()) {
      throw new AssertionError(table.qualifiedName() + ": an operation failed before the end");
    }
  }

  private void rest() {
    if (pauseMillis > 0 && !ends.get()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
    }
  }

  private void flush(LocalNode node, List<CheckedTable<?>> tables, Random random) {
    try (NodeJmx jmx = node.jmx()) {
      while (!ends.get()) {
        jmx.flush(CheckedTable.KEYSPACE, tables.get(random.nextInt(tables.size())).name());
        Thread.sleep(random.nextInt(FLUSH_PAUSE_MILLIS) + pauseMillis);
      }
    } catch (IOException | InterruptedException e) {
      if (!ends.get()) {
        throw new AssertionError("a flush failed before the end: " + e, e);
      }
    }
  }

  @Override
  public void close() {
    ends.set(true);
    threads.shutdownNow();
  }
}
