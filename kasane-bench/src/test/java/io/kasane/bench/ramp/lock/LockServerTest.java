/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks over real sockets. */
class LockServerTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final List<AutoCloseable> opened = new ArrayList<>();

  private LockServer start(Duration lease) throws IOException {
    LockServer server = LockServer.start(lease);
    opened.add(server);
    return server;
  }

  private LockClient connect(LockServer server) throws IOException {
    LockClient client = new LockClient(server.address(), server.lease());
    opened.add(client);
    return client;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  @Test
  void shouldLetWritersInAlone() throws Exception {
    LockServer server = start(LONG);
    int keys = 5;
    AtomicInteger[] readers = new AtomicInteger[keys];
    AtomicInteger[] writers = new AtomicInteger[keys];
    for (int key = 0; key < keys; key++) {
      readers[key] = new AtomicInteger();
      writers[key] = new AtomicInteger();
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      LockClient client = connect(server);
      SplittableRandom random = new SplittableRandom(i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int turn = 0; turn < 500; turn++) {
                    int[] wanted = random.ints(0, keys).distinct().limit(3).sorted().toArray();
                    boolean exclusive = random.nextInt(4) == 0;
                    LockClient.Lease lease = client.lock(exclusive, longs(wanted));
                    for (int key : wanted) {
                      int others =
                          exclusive
                              ? readers[key].get() + writers[key].getAndIncrement()
                              : writers[key].get();
                      assertThat(others).as("others at key %d", key).isZero();
                      if (!exclusive) {
                        readers[key].incrementAndGet();
                      }
                    }
                    for (int key : wanted) {
                      (exclusive ? writers : readers)[key].decrementAndGet();
                    }
                    client.release(lease.id());
                  }
                } catch (IOException | RuntimeException | AssertionError e) {
                  failure.compareAndSet(null, e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    await().untilAsserted(() -> assertThat(server.keysInUse()).isZero());
  }

  @Test
  @Timeout(60)
  void shouldLetASecondReaderInBesideTheFirst() throws Exception {
    LockServer server = start(LONG);
    LockClient first = connect(server);
    LockClient second = connect(server);
    LockClient.Lease lease = first.lock(false, 1);

    LockClient.Lease beside = second.lock(false, 1);

    assertThat(server.keysInUse()).isEqualTo(1);
    second.release(beside.id());
    first.release(lease.id());
  }

  private static long[] longs(int[] keys) {
    long[] longs = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      longs[i] = keys[i];
    }
    return longs;
  }

  @Test
  void shouldServeAWaitingWriterBeforeReadersThatCameLater() throws Exception {
    LockServer server = start(LONG);
    LockClient first = connect(server);
    LockClient later = connect(server);
    LockClient.Lease lease = first.lock(false, 1);
    long writer = first.request(true, 1);
    // Another connection is read by another thread; this grant shows that the writer is queued.
    long probe = first.request(false, 2);
    assertThat(first.awaitGrant()).isEqualTo(probe);
    long reader = later.request(false, 1);

    first.release(lease.id());

    assertThat(first.awaitGrant()).isEqualTo(writer);
    first.release(writer);
    assertThat(later.awaitGrant()).isEqualTo(reader);
  }

  @Test
  void shouldTakeLocksBackFromTheDeadAndTheLate() throws Exception {
    LockServer server = start(Duration.ofMillis(300));
    LockClient dead = connect(server);
    LockClient late = connect(server);
    LockClient next = connect(server);
    dead.lock(true, 1, 2);
    LockClient.Lease lease = late.lock(true, 3);
    dead.request(true, 3);
    dead.close();

    next.lock(true, 1, 2, 3);

    assertThat(lease.isOver()).isTrue();
    late.release(lease.id());
  }

  @Test
  void shouldCutOffWhoAsksOutOfOrder() throws Exception {
    LockServer server = start(LONG);
    LockClient client = connect(server);

    assertThatThrownBy(() -> client.lock(true, 2, 1)).isInstanceOf(IOException.class);
  }
}
