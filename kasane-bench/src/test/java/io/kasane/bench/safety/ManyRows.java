/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Rows by the million, two bytes each: which version of a row was acknowledged, and which was sent.
 *
 * <p>A node that syncs each write takes no more than some thousand a second. So the commit log is
 * synced every tenth of a second, and a write counts as acknowledged two seconds after its answer.
 */
final class ManyRows {
  static final String TABLE = "k.t";
  private static final int IN_FLIGHT = 256;

  /** So that a byte tells versions from each other. */
  private static final int MAX_VERSIONS = 100;

  private static final Murmur3TokenFactory TOKENS = new Murmur3TokenFactory();

  private static final long SYNCED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A write that the node has said yes to. */
  private record Answered(int row, byte version, long atNanos) {}

  private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
  private final byte[] acknowledged;
  private final byte[] sent;
  private final SplittableRandom random;
  private final Semaphore writes = new Semaphore(IN_FLIGHT);
  private int filled;
  private CqlSession session;
  private PreparedStatement insert;
  private PreparedStatement select;

  ManyRows(int count, long seed) {
    acknowledged = new byte[count];
    sent = new byte[count];
    random = new SplittableRandom(seed);
  }

  /** Their ids as heat knows them, each twice. */
  static LongStream tokens(int count) {
    return IntStream.range(0, 2 * count).mapToLong(i -> token(i / 2));
  }

  private static long token(int row) {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES).putLong(0, row);
    return ((Murmur3Token) TOKENS.hash(key)).getValue();
  }

  void connect(CqlSession open) {
    session = open;
    insert = open.prepare("INSERT INTO " + TABLE + " (id, version) VALUES (?, ?)");
    select = open.prepare("SELECT version FROM " + TABLE + " WHERE id = ?");
  }

  /**
   * Writes each row once, and every fifth time an older one again. A write that is not acknowledged
   * may be there or not.
   */
  void fill() throws InterruptedException {
    while (filled < sent.length) {
      send(filled++);
      if (random.nextInt(5) == 0) {
        update(1);
      }
    }
  }

  /** Writes rows by chance again. */
  void update(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      takeSynced(System.nanoTime() - SYNCED_NANOS);
      int old = random.nextInt(filled);
      if (isSettled(old) && sent[old] < MAX_VERSIONS) {
        send(old);
      }
    }
  }

  private void takeSynced(long beforeNanos) {
    for (Answered next = answered.peek();
        next != null && next.atNanos - beforeNanos < 0;
        next = answered.peek()) {
      answered.remove();
      synchronized (acknowledged) {
        acknowledged[next.row] = next.version;
      }
    }
  }

  /**
   * The node is dead: waits until each write was answered or failed. What was answered of late may
   * be there or not.
   */
  void died(long atNanos) throws InterruptedException {
    writes.acquire(IN_FLIGHT);
    writes.release(IN_FLIGHT);
    takeSynced(atNanos - SYNCED_NANOS);
    answered.clear();
  }

  private boolean isSettled(int row) {
    synchronized (acknowledged) {
      return acknowledged[row] == sent[row];
    }
  }

  private void send(int row) throws InterruptedException {
    byte version = (byte) (sent[row] + 1);
    sent[row] = version;
    writes.acquire();
    var unused =
        session
            .executeAsync(insert.bind((long) row, (int) version))
            .whenComplete(
                (done, problem) -> {
                  if (problem == null) {
                    answered.add(new Answered(row, version, System.nanoTime()));
                  }
                  writes.release();
                });
  }

  /** Reads so many rows by chance, and all whose last write was not acknowledged. */
  int verify(int byChance) throws InterruptedException {
    int[] rows =
        IntStream.concat(
                IntStream.range(0, filled).filter(row -> !isSettled(row)),
                random.ints(byChance, 0, filled))
            .toArray();
    verify(IntStream.of(rows));
    return rows.length;
  }

  /** Reads all. */
  void verifyAll() throws InterruptedException {
    verify(IntStream.range(0, filled));
  }

  private void verify(IntStream rows) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Semaphore permits = new Semaphore(IN_FLIGHT);
    IntConsumer read =
        row -> {
          permits.acquireUninterruptibly();
          var unused =
              session
                  .executeAsync(select.bind((long) row))
                  .thenAccept(answer -> check(row, answer.one()))
                  .whenComplete(
                      (done, problem) -> {
                        if (problem != null) {
                          failure.compareAndSet(null, problem);
                        }
                        permits.release();
                      });
        };
    rows.takeWhile(row -> failure.get() == null).forEach(read);
    permits.acquire(IN_FLIGHT);
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private void check(int row, Row found) {
    byte seen = found == null ? 0 : (byte) found.getInt(0);
    synchronized (acknowledged) {
      assertThat((int) seen)
          .as("version of row %d", row)
          .isBetween((int) acknowledged[row], (int) sent[row]);
      acknowledged[row] = seen; // it does not go back from here
      sent[row] = seen;
    }
  }
}
