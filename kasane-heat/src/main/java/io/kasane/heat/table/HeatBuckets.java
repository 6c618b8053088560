/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import static org.agrona.UnsafeAccess.UNSAFE;

import io.kasane.heat.key.HeatKey;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A number of buckets outside the heap, of two cache lines each: a head that is the bucket's lock,
 * and up to {@value #MAX_ENTRIES} entries of one long ({@link HeatEntry}). Buckets lie in the order
 * of the keys that belong there, in chunks whose memory is taken when the first of their keys
 * comes, and may be given back when all buckets are empty.
 *
 * <pre>
 *   head: locked 1 | 20 | halvings 16 | period 23 | entries 4
 * </pre>
 *
 * A bucket is known by its address. What reads or writes entries expects the caller to hold its
 * lock.
 */
public final class HeatBuckets {
  static final int MAX_ENTRIES = 15;

  /** A bucket of 15 keys is meant for so many. */
  static final int MEANT_ENTRIES = 12;

  static final int BUCKET_BYTES = 128;

  /** A head has 23 bits for the number of the period. */
  public static final int PERIOD_MASK = (1 << 23) - 1;

  /** So that a product of a key and their number fits 64 bits. */
  static final int MAX_BUCKETS = 1 << (Long.SIZE - HeatKey.BITS);

  /** Their number is a multiple of this, so that a bucket tells the bits that entries leave out. */
  static final int STEP = 1 << (HeatKey.BITS - HeatEntry.KEY_BITS);

  private static final int CHUNK_LOG =
      Integer.numberOfTrailingZeros(HeatChunks.CHUNK_BYTES / BUCKET_BYTES);

  /** No address. */
  static final long GONE = -1;

  private static final long LOCKED = 1L << 63;
  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 10_000;
  private static final int PERIOD_SHIFT = 4;
  private static final int HALVINGS_SHIFT = 27;
  private static final long SHORT = 0xFFFF;
  private static final long TIME = (SHORT << HALVINGS_SHIFT) | ((long) PERIOD_MASK << PERIOD_SHIFT);

  private final HeatChunks memory;
  private final int count;
  private final AtomicLongArray chunks; // addresses; 0 where none is taken yet

  /**
   * Empty buckets.
   *
   * @param count a multiple of {@link #STEP}
   */
  HeatBuckets(int count, HeatChunks memory) {
    this.count = count;
    this.memory = memory;
    this.chunks = new AtomicLongArray(((count - 1) >>> CHUNK_LOG) + 1);
  }

  // ---- where

  int count() {
    return count;
  }

  /** The bucket of a key. */
  int indexOf(long key) {
    return (int) ((key * count) >>> HeatKey.BITS);
  }

  /** The least key that belongs to a bucket; behind all of them if that is behind the last. */
  long firstKeyOf(int bucket) {
    return bucket >= count
        ? HeatKey.END
        : Long.divideUnsigned(((long) bucket << HeatKey.BITS) + count - 1, count);
  }

  /** The key of an entry in a bucket whose least key is {@code firstKey}. */
  static long keyOf(long firstKey, long entry) {
    return (firstKey & (-1L << HeatEntry.KEY_BITS)) | (entry >>> HeatEntry.KEY_SHIFT);
  }

  /** Where a bucket lies; {@link #GONE} if its memory was given back. */
  long addressOf(int bucket) {
    long chunk = chunks.getAcquire(bucket >>> CHUNK_LOG);
    if (chunk == 0) {
      chunk = taken(bucket >>> CHUNK_LOG);
    }
    return chunk == GONE ? GONE : chunk + (long) (bucket & ((1 << CHUNK_LOG) - 1)) * BUCKET_BYTES;
  }

  private synchronized long taken(int index) {
    long chunk = chunks.get(index);
    if (chunk == 0) {
      chunk = memory.take();
      chunks.setRelease(index, chunk);
    }
    return chunk;
  }

  /** Whether the memory of a bucket was taken, and not given back. */
  boolean isTaken(int bucket) {
    long chunk = chunks.get(bucket >>> CHUNK_LOG);
    return chunk != 0 && chunk != GONE;
  }

  /** Whether a chunk begins with this bucket, or would behind the last one. */
  boolean endsChunk(int bucket) {
    return (bucket & ((1 << CHUNK_LOG) - 1)) == 0 || bucket == count;
  }

  /** Gives back the chunk of the bucket before this one. */
  synchronized void giveBackBefore(int bucket) {
    long chunk = chunks.getAndSet((bucket - 1) >>> CHUNK_LOG, GONE);
    if (chunk != 0 && chunk != GONE) {
      memory.giveBack(chunk);
    }
  }

  /** Gives back all chunks. */
  void giveBackAll() {
    for (int chunk = 1; chunk <= chunks.length(); chunk++) {
      giveBackBefore(Math.min(chunk << CHUNK_LOG, count));
    }
  }

  /** How much memory was taken and not given back. */
  long bytes() {
    long bytes = 0;
    for (int i = 0; i < chunks.length(); i++) {
      long chunk = chunks.get(i);
      bytes += chunk == 0 || chunk == GONE ? 0 : HeatChunks.CHUNK_BYTES;
    }
    return bytes;
  }

  // ---- locks

  /** The head, or -1 after about a microsecond. */
  static long tryLock(long bucket) {
    for (int i = 0; i < SPINS; i++) {
      long head = UNSAFE.getLongVolatile(null, bucket);
      if (head >= 0 && UNSAFE.compareAndSwapLong(null, bucket, head, head | LOCKED)) {
        return head;
      }
      Thread.onSpinWait();
    }
    return -1;
  }

  static long lock(long bucket) {
    long head = tryLock(bucket);
    while (head < 0) {
      LockSupport.parkNanos(PAUSE_NANOS); // its holder has lost its processor
      head = tryLock(bucket);
    }
    return head;
  }

  static void unlock(long bucket, long head) {
    UNSAFE.putOrderedLong(null, bucket, head);
  }

  // ---- heads

  static int entries(long head) {
    return (int) head & MAX_ENTRIES;
  }

  static long withEntries(long head, int entries) {
    return (head & ~(long) MAX_ENTRIES) | entries;
  }

  /** When: halvings and periods so far. */
  public static long time(int halvings, int period) {
    return ((halvings & SHORT) << HALVINGS_SHIFT) | ((long) period << PERIOD_SHIFT);
  }

  static long time(long head) {
    return head & TIME;
  }

  static long withTime(long head, long time) {
    return (head & ~TIME) | time;
  }

  /** Halvings from one time to another; 0 if that is the older one. */
  static int halvingsBetween(long from, long to) {
    int halvings = (int) (((to >>> HALVINGS_SHIFT) - (from >>> HALVINGS_SHIFT)) & SHORT);
    return halvings > SHORT / 2 ? 0 : halvings;
  }

  static int periodsBetween(long from, long to) {
    int mask = PERIOD_MASK;
    int periods = (int) ((to >>> PERIOD_SHIFT) - (from >>> PERIOD_SHIFT)) & mask;
    return periods > mask / 2 ? 0 : periods;
  }

  // ---- entries

  /** Reads something of each of its lines; for that alone the lock need not be held. */
  static long fetch(long bucket) {
    return UNSAFE.getLong(bucket) + UNSAFE.getLong(bucket + BUCKET_BYTES / 2);
  }

  static long entry(long bucket, int slot) {
    return UNSAFE.getLong(bucket + (long) Long.BYTES * (slot + 1));
  }

  static void set(long bucket, int slot, long entry) {
    UNSAFE.putLong(bucket + (long) Long.BYTES * (slot + 1), entry);
  }

  /** The place of a key, or -1. */
  static int find(long bucket, int entries, long key) {
    int wanted = (int) key & HeatEntry.KEY_MASK;
    for (int slot = 0; slot < entries; slot++) {
      if (HeatEntry.key(entry(bucket, slot)) == wanted) {
        return slot;
      }
    }
    return -1;
  }
}
