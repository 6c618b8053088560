/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.arena.ArenaReader.Outcome;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers, writers, fills and evictions at the same time. */
class ArenaRaceTest {
  private static final long READS = Long.getLong("kasane.arena.reads", 300_000);
  private static final int KEYS = 48;

  @TempDir private Path dir;

  /** What a table would have: the highest version of each key. */
  private final AtomicLongArray stored = new AtomicLongArray(KEYS);

  /** What writers were told that it has. */
  private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final LongAdder hits = new LongAdder();
  private final LongAdder torn = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder copied = new LongAdder();
  private final LongAdder mixed = new LongAdder();

  @Test
  void noReadIsTornOrOlderThanWhatWasAcknowledged() throws Exception {
    race(false);
    requireRight();
  }

  /** By copies whose pieces come in any order, as from another host's memory. */
  @Test
  void noCopyIsTornOrOlderThanWhatWasAcknowledged() throws Exception {
    race(true);
    requireRight();
    assertThat(copied.sum()).as("read out of copies").isGreaterThan(hits.sum() / 4);
  }

  private void requireRight() {
    assertThat(mixed.sum()).as("parts of several versions").isZero();
    assertThat(stale.sum()).as("older than acknowledged").isZero();
    assertThat(hits.sum()).isGreaterThan(READS / 10);
    System.out.printf(
        "arena: %,d hits, %,d torn reads that were detected%n", hits.sum(), torn.sum());
  }

  private void race(boolean copies) throws Exception {
    Path file = dir.resolve("arena");
    try (ArenaWriter writer = Arenas.withSets(file, 3)) {
      ArenaReader reader = Arenas.awake(writer, ArenaReader.open(file, Arenas.TABLE));
      CopiedSlots slots = new CopiedSlots(file, reader);
      List<Thread> threads = new ArrayList<>();
      threads.add(begin(() -> beat(writer, reader, slots)));
      threads.add(begin(() -> write(writer, 1)));
      threads.add(begin(() -> write(writer, 2)));
      threads.add(begin(() -> fill(writer)));
      threads.add(begin(() -> evict(writer)));
      try {
        read(copies ? slots::get : reader::get);
      } finally {
        ended.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
        copied.add(slots.hits());
      }
    }
  }

  private static Thread begin(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }

  private void beat(ArenaWriter writer, ArenaReader reader, CopiedSlots slots) {
    while (!ended.get()) {
      writer.beat();
      reader.look();
      slots.look();
      LockSupport.parkNanos(1);
    }
  }

  private void write(ArenaWriter writer, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    while (!ended.get()) {
      int key = random.nextInt(KEYS);
      long version = clock.incrementAndGet();
      stored.accumulateAndGet(key, version, Math::max);
      pause(random);
      writer.update(key(key), new ArenaVersion(version, 0, body(version)));
      acknowledged.accumulateAndGet(key, version, Math::max);
      pause(random);
    }
  }

  private void fill(ArenaWriter writer) {
    SplittableRandom random = new SplittableRandom(3);
    while (!ended.get()) {
      int key = random.nextInt(KEYS);
      writer.noteRead(key(key));
      long ticket = writer.ticket(key(key));
      long version = stored.get(key);
      pause(random);
      if (version > 0) {
        writer.fill(key(key), key, new ArenaVersion(version, 0, body(version)), ticket);
      }
    }
  }

  private void evict(ArenaWriter writer) {
    SplittableRandom random = new SplittableRandom(4);
    while (!ended.get()) {
      if (random.nextInt(50) == 0) {
        writer.evictTokens(token -> token % 5 == 0);
      } else {
        writer.evict(key(random.nextInt(KEYS)));
      }
      LockSupport.parkNanos(50_000);
    }
  }

  private static void pause(SplittableRandom random) {
    if (random.nextInt(16) == 0) {
      LockSupport.parkNanos(1);
    }
  }

  private void read(Function<ArenaKey, ArenaReader.Answer> reader) {
    SplittableRandom random = new SplittableRandom(5);
    for (long i = 0; i < READS; i++) {
      int key = random.nextInt(KEYS);
      long least = acknowledged.get(key);
      ArenaReader.Answer answer = reader.apply(key(key));
      if (answer.outcome() == Outcome.HIT) {
        hits.increment();
        check(answer.body(), least);
      } else if (answer.outcome() == Outcome.TORN) {
        torn.increment();
      }
    }
  }

  private void check(ByteBuffer body, long least) {
    long version = body.getLong(0);
    for (int at = 0; at + Long.BYTES <= body.limit(); at += Long.BYTES) {
      if (body.getLong(at) != version) {
        mixed.increment();
        return;
      }
    }
    if (version < least) {
      stale.increment();
    }
  }

  private static ArenaKey key(int number) {
    return Arenas.key("key" + number);
  }

  /** Of several lengths, each eight bytes the same. */
  private static ByteBuffer body(long version) {
    ByteBuffer body = ByteBuffer.allocate((int) (8 * (2 + version % 20)));
    while (body.hasRemaining()) {
      body.putLong(version);
    }
    return body.flip();
  }
}
