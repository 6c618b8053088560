/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import static org.agrona.UnsafeAccess.UNSAFE;

import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.collections.LongLongConsumer;

/**
 * Memory outside the heap, in chunks of {@value #CHUNK_BYTES} bytes that begin at a cache line.
 * What is given back is kept for others, and goes to the operating system only with all of it: a
 * thread that was held up just before it took a bucket's lock takes the lock of another bucket
 * then, sees that, and lets go of it. Thread-safe.
 */
public final class HeatChunks {
  public static final int CHUNK_BYTES = 1 << 16;
  private static final int SLAB_CHUNKS = 16;
  private static final int HUGE_SLAB_CHUNKS = 512;

  /** After so many come huge pages: little memory should not take more than it has. */
  private static final int SMALL_CHUNKS = 128;

  /** A quarter of a million keys. */
  private static final int READY_CHUNKS = 64;

  private static final int LINE_BYTES = 128;
  private static final Cleaner CLEANER = Cleaner.create();

  private final boolean usesHugePages = HugePages.areAvailable();
  private final LongLongConsumer advice;
  private final Slabs slabs = new Slabs();
  private final Deque<Long> free = new ArrayDeque<>();
  private long fresh; // the next chunk of the last slab that nobody had
  private int freshChunks;
  private int takenChunks;

  /** Does not know of the chunks that it is the memory of, so that it does not keep them. */
  private static final class Slabs implements Runnable {
    private final List<Long> addresses = new ArrayList<>();

    @Override
    public void run() {
      addresses.forEach(UNSAFE::freeMemory);
    }
  }

  public HeatChunks() {
    this(HugePages::advise);
  }

  /** With what asks for huge pages, of an address and a number of bytes. */
  HeatChunks(LongLongConsumer advice) {
    this.advice = advice;
    CLEANER.register(this, slabs);
  }

  /** Returns the address of a chunk; its buckets are empty and not locked. */
  long take() {
    long chunk;
    synchronized (this) {
      if (!free.isEmpty()) {
        return free.pop();
      }
      chunk = next();
    }
    return cleared(chunk);
  }

  /**
   * Gets some ready where there are many, so that hardly an access waits for a huge page. To be
   * called about once a second.
   */
  public void prepare() {
    while (true) {
      long chunk;
      synchronized (this) {
        if (takenChunks < SMALL_CHUNKS || free.size() >= READY_CHUNKS) {
          return;
        }
        chunk = next();
      }
      giveBack(cleared(chunk));
    }
  }

  /** How many are free. */
  synchronized int ready() {
    return free.size();
  }

  private static long cleared(long chunk) {
    UNSAFE.setMemory(chunk, CHUNK_BYTES, (byte) 0);
    return chunk;
  }

  private long next() {
    if (freshChunks == 0) {
      boolean isHuge = usesHugePages && takenChunks >= SMALL_CHUNKS;
      allocate(isHuge ? HUGE_SLAB_CHUNKS : SLAB_CHUNKS, isHuge ? HugePages.BYTES : LINE_BYTES);
    }
    long chunk = fresh;
    fresh += CHUNK_BYTES;
    freshChunks--;
    takenChunks++;
    return chunk;
  }

  private void allocate(int chunks, int alignedBytes) {
    long bytes = (long) chunks * CHUNK_BYTES;
    long slab = UNSAFE.allocateMemory(bytes + alignedBytes);
    slabs.addresses.add(slab);
    fresh = (slab + alignedBytes - 1) & -alignedBytes;
    freshChunks = chunks;
    if (alignedBytes == HugePages.BYTES) {
      advice.accept(fresh, bytes);
    }
  }

  /** Takes a chunk back whose buckets are empty, and not locked but by who is mistaken. */
  synchronized void giveBack(long address) {
    free.push(address);
  }
}
