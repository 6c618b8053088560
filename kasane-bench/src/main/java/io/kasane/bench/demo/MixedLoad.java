/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.bench.load.ZipfKeys;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads and updates keys as fast as the node answers, a bounded number at a time, and checks every
 * read. One thread sends; the driver's threads check.
 */
final class MixedLoad implements AutoCloseable {
  private final DemoTable table;
  private final DemoSettings settings;
  private final ZipfKeys keys;
  private final CheckedRows rows;
  private final Semaphore permits;
  private final LongAdder operations = new LongAdder();
  private final LongAdder wrongReads = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicReference<String> firstProblem = new AtomicReference<>();
  private final Thread sender;
  private volatile boolean stopping;

  private MixedLoad(DemoTable table, DemoSettings settings, ZipfKeys keys, CheckedRows rows) {
    this.table = table;
    this.settings = settings;
    this.keys = keys;
    this.rows = rows;
    this.permits = new Semaphore(settings.inFlight());
    this.sender = new Thread(this::send, "demo-load");
    this.sender.setDaemon(true);
  }

  /** Starts the load; closing it waits for the operations in flight. */
  static MixedLoad start(DemoTable table, DemoSettings settings, ZipfKeys keys, CheckedRows rows) {
    MixedLoad load = new MixedLoad(table, settings, keys, rows);
    load.sender.start();
    return load;
  }

  private void send() {
    SplittableRandom random = new SplittableRandom(settings.seed() + 1);
    long began = System.nanoTime();
    long sent = 0;
    try {
      while (!stopping) {
        pace(began, sent++);
        int key = keys.next(random);
        boolean update = random.nextInt(100) < settings.updatePercent();
        permits.acquire();
        OptionalInt version = update ? rows.beginUpdate(key) : OptionalInt.empty();
        if (version.isPresent()) {
          update(key, version.getAsInt());
        } else {
          read(key);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // The session was closed under us, or the driver refuses to send: the load is over.
      failed(e);
    }
  }

  private void pace(long began, long sent) {
    long aheadNanos =
        sent * TimeUnit.SECONDS.toNanos(1) / settings.operationsPerSecond()
            - (System.nanoTime() - began);
    if (aheadNanos > 0) {
      LockSupport.parkNanos(aheadNanos);
    }
  }

  private void update(int key, int version) {
    table
        .write(key, version)
        .whenComplete(
            (result, problem) -> {
              if (problem == null) {
                rows.updateSucceeded(key, version);
                operations.increment();
              } else {
                rows.updateFailed(key);
                failed(problem);
              }
              permits.release();
            });
  }

  private void read(int key) {
    int lowest = rows.beginRead(key);
    table
        .read(key)
        .whenComplete(
            (result, problem) -> {
              if (problem == null) {
                check(key, lowest, result);
                operations.increment();
              } else {
                failed(problem);
              }
              permits.release();
            });
  }

  private void check(int key, int lowest, AsyncResultSet result) {
    Row row = result.one();
    boolean right =
        row != null
            && !row.isNull("version")
            && rows.isRight(key, lowest, row.getInt("version"), row.getByteBuffer("payload"));
    if (!right) {
      wrongReads.increment();
      firstProblem.compareAndSet(
          null,
          row == null
              ? "row " + key + " is gone"
              : "row "
                  + key
                  + " has version "
                  + row.getObject("version")
                  + ", at least "
                  + lowest
                  + " was acknowledged, or its payload is not that version's");
    }
  }

  private void failed(Throwable problem) {
    failures.increment();
    firstProblem.compareAndSet(null, "an operation failed: " + problem);
  }

  long operations() {
    return operations.sum();
  }

  long wrongReads() {
    return wrongReads.sum();
  }

  /** Returns how many operations got an error or no answer: neither right nor wrong. */
  long failures() {
    return failures.sum();
  }

  /** Returns what went wrong first, or null. */
  String firstProblem() {
    return firstProblem.get();
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    sender.join();
    permits.acquire(settings.inFlight());
  }
}
