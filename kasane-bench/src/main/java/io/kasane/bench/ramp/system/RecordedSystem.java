/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import io.kasane.ramp.history.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Another system, whose clients' reads and writes become a history that isolation checkers read. A
 * client is a session. Thread-safe.
 */
final class RecordedSystem implements TransactionSystem {
  private final TransactionSystem system;
  private final HistoryLog log;
  private final TransactionNumbers numbers;
  private final AtomicLong sessions = new AtomicLong();

  /**
   * Records from now on; {@link #close} completes the history.
   *
   * @param numbers those that the system's writes take theirs from
   */
  RecordedSystem(TransactionSystem system, History history, TransactionNumbers numbers) {
    this.system = system;
    this.log = HistoryLog.create(history);
    this.numbers = numbers;
  }

  @Override
  public TransactionClient connect() {
    return new Client(system.connect(), sessions.incrementAndGet());
  }

  @Override
  public void settle() throws InterruptedException {
    system.settle();
  }

  @Override
  public void close() {
    system.close();
    try {
      log.close(sessions.get() + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Client implements TransactionClient {
    private final TransactionClient client;
    private final long session;

    Client(TransactionClient client, long session) {
      this.client = client;
      this.session = session;
    }

    @Override
    public Reading read(int[] keys) {
      Reading reading = client.read(keys);
      log.read(session, numbers.next(), keys, reading);
      return reading;
    }

    @Override
    public long write(int[] keys, byte[] payload) {
      long beganNanos = System.nanoTime();
      long number = client.write(keys, payload);
      log.acknowledged(session, number, keys, beganNanos, System.nanoTime());
      return number;
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
