/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import static org.agrona.UnsafeAccess.UNSAFE;

import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Memory outside the heap, in chunks of {@value #CHUNK_BYTES} bytes that begin at a cache line.
 * What is given back is kept for others, and goes to the operating system only with all of it: a
 * thread that was held up just before it took a bucket's lock takes the lock of another bucket
 * then, sees that, and lets go of it. Thread-safe.
 */
final class HeatChunks {
  static final int CHUNK_BYTES = 1 << 16;
  private static final int SLAB_CHUNKS = 16;
  private static final int LINE_BYTES = 128;
  private static final Cleaner CLEANER = Cleaner.create();

  private final Slabs slabs = new Slabs();
  private final Deque<Long> free = new ArrayDeque<>();
  private long fresh; // the next chunk of the last slab that nobody had
  private int freshChunks;

  /** Does not know of the chunks that it is the memory of, so that it does not keep them. */
  private static final class Slabs implements Runnable {
    private final List<Long> addresses = new ArrayList<>();

    @Override
    public void run() {
      addresses.forEach(UNSAFE::freeMemory);
    }
  }

  HeatChunks() {
    CLEANER.register(this, slabs);
  }

  /** Returns the address of a chunk; its buckets are empty and not locked. */
  synchronized long take() {
    if (!free.isEmpty()) {
      return free.pop();
    }
    if (freshChunks == 0) {
      long slab = UNSAFE.allocateMemory((long) SLAB_CHUNKS * CHUNK_BYTES + LINE_BYTES);
      slabs.addresses.add(slab);
      fresh = (slab + LINE_BYTES - 1) & -LINE_BYTES;
      freshChunks = SLAB_CHUNKS;
    }
    long chunk = fresh;
    UNSAFE.setMemory(chunk, CHUNK_BYTES, (byte) 0);
    fresh += CHUNK_BYTES;
    freshChunks--;
    return chunk;
  }

  /** Takes a chunk back whose buckets are empty, and not locked but by who is mistaken. */
  synchronized void giveBack(long address) {
    free.push(address);
  }
}
