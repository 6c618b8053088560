/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import static org.agrona.UnsafeAccess.UNSAFE;

import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Memory outside the heap, in chunks of two sizes. What is given back is kept for others, and goes
 * to the operating system only with all of it: a thread that was held up just before it took a
 * bucket's lock takes the lock of another bucket then, sees that, and lets go of it. Thread-safe.
 */
final class HeatChunks {
  /** Sizes of chunks. A large one is a huge page, where there are such, and begins like one. */
  enum Size {
    SMALL(1 << 16),
    LARGE(1 << 21);

    final int bytes;

    Size(int bytes) {
      this.bytes = bytes;
    }
  }

  private static final int SLAB_CHUNKS = 8;
  private static final Cleaner CLEANER = Cleaner.create();

  private final Slabs slabs = new Slabs();
  private final Map<Size, Deque<Long>> free = new EnumMap<>(Size.class);

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
    for (Size size : Size.values()) {
      free.put(size, new ArrayDeque<>());
    }
  }

  /** Returns the address of a chunk, a multiple of its size; its longs are 0. */
  synchronized long take(Size size) {
    Deque<Long> chunks = free.get(size);
    if (chunks.isEmpty()) {
      long bytes = (long) (SLAB_CHUNKS + 1) * size.bytes;
      long slab = UNSAFE.allocateMemory(bytes);
      slabs.addresses.add(slab);
      UNSAFE.setMemory(slab, bytes, (byte) 0);
      long first = (slab + size.bytes - 1) & -size.bytes;
      for (int i = 0; i < SLAB_CHUNKS; i++) {
        chunks.add(first + (long) i * size.bytes);
      }
    }
    return chunks.pop();
  }

  /** Takes a chunk back whose buckets are empty, and not locked but by who is mistaken. */
  synchronized void giveBack(Size size, long address) {
    free.get(size).push(address);
  }
}
