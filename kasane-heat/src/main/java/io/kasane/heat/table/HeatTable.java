/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import java.lang.ref.Reference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * Entries by key, outside the heap, in a bounded number of buckets. An access takes one bucket's
 * lock and, as a rule, one or two misses of the processor's caches.
 *
 * <p><b>Growing.</b> When more than half of the places are taken there are soon a quarter more
 * buckets. Keys move there in their order, a few buckets with each new key: what is before the
 * frontier is there, the rest still here. Chunks are taken and given back as the frontier comes, so
 * there is never a second copy.
 *
 * <p><b>Eviction.</b> A key that comes into a full bucket takes the place of the coldest, which has
 * h accesses, with a chance of 1 / (h + 1), and then its heat, too: in the mean it waits as long as
 * the coldest was accessed (Ben Basat, Chen, Einziger, Friedman, Kassner: "Randomized admission
 * policy for efficient top-k and frequency estimation", INFOCOM 2017).
 *
 * <p><b>Aging.</b> A bucket catches up with halvings and periods when it is next touched.
 *
 * <p>Thread-safe.
 */
public final class HeatTable {
  private static final int GROW_AT = 8;
  private static final double GROWTH = 1.25;
  private static final int STEPS_OF_A_NEW_KEY = 4;

  private final HeatChunks memory;
  private final LongAdder keys = new LongAdder();

  /** Held by who moves keys. */
  private final ReentrantLock moving = new ReentrantLock();

  private volatile Layout layout;
  private volatile int mostBuckets;
  private volatile long time;

  /** Where keys are; both are the same but while they move. */
  private static final class Layout {
    final HeatBuckets from;
    final HeatBuckets to;
    volatile long frontier; // of keys: what is below has moved
    int next; // bucket; of who holds the lock

    Layout(HeatBuckets from, HeatBuckets to) {
      this.from = from;
      this.to = to;
    }

    HeatBuckets of(long key) {
      return key < frontier ? to : from;
    }

    boolean isMoving() {
      return from != to;
    }
  }

  /** An empty table. */
  public HeatTable(int capacityKeys, HeatChunks memory) {
    this.memory = memory;
    bound(capacityKeys);
    HeatBuckets first = new HeatBuckets(HeatBuckets.STEP, memory);
    layout = new Layout(first, first);
  }

  private void bound(int capacityKeys) {
    double buckets = (double) capacityKeys / HeatBuckets.MEANT_ENTRIES;
    long steps = Math.max(1, (long) (buckets / HeatBuckets.STEP));
    mostBuckets = (int) Math.min(HeatBuckets.MAX_BUCKETS, steps * HeatBuckets.STEP);
  }

  // ---- one key

  /**
   * Brings the buckets of some keys into the processor's caches, all at the same time: as a rule
   * they are not there. Does nothing else.
   */
  public void fetch(long[] some, int from, int count) {
    Layout now = layout;
    try {
      long seen = 0;
      for (int i = from; i < from + count; i++) {
        HeatBuckets in = now.of(some[i]);
        long address = in.addressOf(in.indexOf(some[i]));
        seen += address == HeatBuckets.GONE ? 0 : HeatBuckets.fetch(address);
      }
      if (seen == 1) { // hardly ever; without a use of it, nothing would be read
        Thread.onSpinWait();
      }
    } finally {
      Reference.reachabilityFence(now);
    }
  }

  /**
   * Counts an access; false if its bucket stayed locked for a microsecond.
   *
   * @param random another number each time
   */
  public boolean record(long key, long random) {
    HeatBuckets in = layout.of(key);
    long address = in.addressOf(in.indexOf(key));
    long head = address == HeatBuckets.GONE ? -1 : HeatBuckets.tryLock(address);
    if (head < 0) {
      return address == HeatBuckets.GONE && recordNew(key, random);
    }
    int slot = -1;
    try {
      if (HeatBuckets.time(head) == time && layout.of(key) == in) {
        slot = HeatBuckets.find(address, HeatBuckets.entries(head), key);
      }
      if (slot >= 0) {
        long entry = HeatBuckets.entry(address, slot);
        HeatBuckets.set(address, slot, HeatEntry.accessed(entry, random));
      }
    } finally {
      HeatBuckets.unlock(address, head);
      Reference.reachabilityFence(in);
    }
    return slot >= 0 || recordNew(key, random);
  }

  /** The same of a key, or in a bucket, that is not as nearly all are; apart since it is larger. */
  private boolean recordNew(long key, long random) {
    LockedBucket bucket = lock(key, false);
    if (bucket == null) {
      return false;
    }
    int before = bucket.entries();
    boolean isNew;
    try {
      bucket.catchUp(time);
      int slot = bucket.find(key);
      isNew = slot < 0;
      if (isNew) {
        insert(bucket, key, random);
      } else {
        bucket.set(slot, HeatEntry.accessed(bucket.entry(slot), random));
      }
    } finally {
      bucket.unlock();
    }
    keys.add(bucket.entries() - before);
    if (isNew) {
      growIfFull(); // not for each access: to add up all counts takes as long as one
    }
    return true;
  }

  private void insert(LockedBucket bucket, long key, long random) {
    long entry = HeatEntry.accessed(HeatEntry.of(key, 0, 0), random);
    if (bucket.entries() < HeatBuckets.MAX_ENTRIES) {
      bucket.add(entry);
      return;
    }
    int coldest = coldest(bucket);
    long heat = HeatEntry.heat(bucket.entry(coldest));
    long others = heat / HeatEntry.UNIT + 1;
    if (Long.remainderUnsigned(random >>> 1, others) == 0) {
      long heir = HeatEntry.of(key, HeatEntry.heatCode(bucket.entry(coldest)), 0);
      bucket.set(coldest, HeatEntry.accessed(heir, random));
    }
  }

  /** Of equally cold ones that which was not accessed in this or the last period. */
  private static int coldest(LockedBucket bucket) {
    int coldest = 0;
    int least = Integer.MAX_VALUE;
    for (int slot = 0; slot < bucket.entries(); slot++) {
      int warmth = HeatEntry.warmth(bucket.entry(slot));
      if (warmth < least) {
        least = warmth;
        coldest = slot;
      }
    }
    return coldest;
  }

  /** The entry of a key; 0 if there is none. */
  public long entryOf(long key) {
    return update(key, entry -> entry);
  }

  /** Changes the entry of a key, if there is one. Returns it as it is then, else 0. */
  public long update(long key, LongUnaryOperator change) {
    LockedBucket bucket = lock(key, true);
    int before = bucket.entries();
    long entry = 0;
    try {
      bucket.catchUp(time);
      int slot = bucket.find(key);
      if (slot >= 0) {
        entry = change.applyAsLong(bucket.entry(slot));
        bucket.set(slot, entry);
      }
    } finally {
      bucket.unlock();
    }
    keys.add(bucket.entries() - before);
    return entry;
  }

  /**
   * Puts an entry in, or the hotter of it and what is there.
   *
   * @param entryTime when it was so, see {@link HeatBuckets#time(int, int)}
   */
  public void restore(long key, long entry, long entryTime) {
    LockedBucket bucket = lock(key, true);
    int before = bucket.entries();
    try {
      bucket.catchUp(time);
      long restored = LockedBucket.caughtUp(entry, entryTime, HeatBuckets.time(bucket.head));
      if (restored != 0) {
        put(bucket, key, restored);
      }
    } finally {
      bucket.unlock();
    }
    keys.add(bucket.entries() - before);
    growIfFull();
  }

  private void put(LockedBucket bucket, long key, long entry) {
    int slot = bucket.find(key);
    if (slot >= 0) {
      bucket.set(slot, HeatEntry.hotter(bucket.entry(slot), entry));
      return;
    }
    if (bucket.entries() < HeatBuckets.MAX_ENTRIES) {
      bucket.add(entry);
      return;
    }
    int coldest = coldest(bucket);
    if (HeatEntry.warmth(bucket.entry(coldest)) < HeatEntry.warmth(entry)) {
      bucket.set(coldest, entry);
    }
  }

  /** The bucket of a key, not caught up; null if it does not wait and another holds the lock. */
  private LockedBucket lock(long key, boolean waits) {
    while (true) {
      HeatBuckets in = layout.of(key);
      LockedBucket bucket = lock(in, in.indexOf(key), waits);
      if (bucket == null && !waits) {
        return null;
      }
      if (bucket != null && layout.of(key) == in) {
        return bucket;
      }
      if (bucket != null) {
        bucket.unlock(); // its keys have moved meanwhile
      }
    }
  }

  /** Null if its memory was given back, or it does not wait and another holds the lock. */
  private LockedBucket lock(HeatBuckets in, int index, boolean waits) {
    long address = in.addressOf(index);
    if (address == HeatBuckets.GONE) {
      return null;
    }
    LockedBucket bucket = new LockedBucket(in, address); // first: there may be no memory for it
    bucket.head = waits ? HeatBuckets.lock(address) : HeatBuckets.tryLock(address);
    return bucket.head < 0 ? null : bucket;
  }

  // ---- time

  /** What comes from now on is after so many halvings, in this period. */
  public void setTime(int halvings, int period) {
    time = HeatBuckets.time(halvings, period);
  }

  // ---- all keys

  /** Looks at entries, and may change them; called while a bucket is locked. */
  public interface Visitor {
    /** Returns the entry as it is to be; 0 to forget it. */
    long visit(long key, long entry);
  }

  /**
   * Visits the keys of every {@code stride}th bucket from one key to another, of the last one all.
   * A bucket whose keys move meanwhile may be visited twice.
   *
   * @return the first key behind the last bucket
   */
  public long forEach(long fromKey, long toKey, int stride, Visitor visitor) {
    long key = fromKey;
    while (key < toKey) {
      Layout now = layout;
      HeatBuckets in = now.of(key);
      int index = in.indexOf(key);
      LockedBucket bucket = lock(in, index, true);
      if (bucket == null) {
        continue; // its keys have moved
      }
      long frontier = now.frontier;
      if (layout.of(key) != in) {
        bucket.unlock();
        continue;
      }
      visit(in, index, bucket, visitor);
      long next = in.firstKeyOf(index + stride);
      key = key < frontier ? Math.min(next, frontier) : next;
    }
    return key;
  }

  private void visit(HeatBuckets in, int index, LockedBucket bucket, Visitor visitor) {
    int before = bucket.entries();
    try {
      bucket.catchUp(time);
      int kept = 0;
      long first = in.firstKeyOf(index);
      for (int slot = 0; slot < bucket.entries(); slot++) {
        long entry = bucket.entry(slot);
        long changed = visitor.visit(HeatBuckets.keyOf(first, entry), entry);
        if (changed != 0) {
          bucket.set(kept++, changed);
        }
      }
      bucket.head = HeatBuckets.withEntries(bucket.head, kept);
    } finally {
      bucket.unlock();
    }
    keys.add(bucket.entries() - before);
  }

  /** Forgets all keys, and gives their memory back. */
  public void clear() {
    replaceBy(memory);
  }

  /** Gives all memory back; who calls later fills some that nobody reads. */
  public void close() {
    mostBuckets = HeatBuckets.STEP;
    replaceBy(new HeatChunks());
  }

  private void replaceBy(HeatChunks chunks) {
    moving.lock();
    try {
      finish();
      HeatBuckets left = layout.to;
      HeatBuckets none = new HeatBuckets(HeatBuckets.STEP, chunks);
      layout = new Layout(none, none);
      for (int index = 0; index < left.count(); index++) {
        if (left.isTaken(index)) {
          visit(left, index, lock(left, index, true), (key, entry) -> 0);
        }
      }
      left.giveBackAll();
    } finally {
      moving.unlock();
    }
  }

  // ---- size

  public long keys() {
    return Math.max(0, keys.sum());
  }

  public long bytes() {
    Layout now = layout;
    return now.from.bytes() + (now.isMoving() ? now.to.bytes() : 0);
  }

  /** How many buckets there are, or are soon. */
  public int buckets() {
    return layout.to.count();
  }

  /** Makes room for so many keys, as far as it may. */
  public void reserve(long wantedKeys) {
    long steps = wantedKeys / GROW_AT / HeatBuckets.STEP + 1;
    moving.lock();
    try {
      finish();
      int buckets = (int) Math.min(mostBuckets, steps * HeatBuckets.STEP);
      if (buckets > layout.to.count()) {
        moveInto(buckets);
        finish();
      }
    } finally {
      moving.unlock();
    }
  }

  private void growIfFull() {
    Layout now = layout;
    boolean isFull = keys.sum() > (long) GROW_AT * now.to.count() && now.to.count() < mostBuckets;
    if ((now.isMoving() || isFull) && moving.tryLock()) {
      try {
        if (layout.isMoving()) {
          int left = STEPS_OF_A_NEW_KEY;
          while (left-- > 0 && layout.isMoving() && step(false)) {
            // the next one
          }
        } else if (layout == now) {
          long steps = (long) Math.ceil(GROWTH * now.to.count() / HeatBuckets.STEP);
          moveInto((int) Math.min(mostBuckets, steps * HeatBuckets.STEP));
        }
      } finally {
        moving.unlock();
      }
    }
  }

  /**
   * Holds fewer or more keys at most from now on. Fewer: the coldest leave and their memory is
   * given back, which takes some 100 ns a key; others go on meanwhile.
   */
  public void resize(int capacityKeys) {
    moving.lock();
    try {
      bound(capacityKeys);
      if (layout.to.count() > mostBuckets) {
        finish();
        moveInto(mostBuckets);
        finish();
      }
    } finally {
      moving.unlock();
    }
  }

  private void moveInto(int buckets) {
    layout = new Layout(layout.to, new HeatBuckets(buckets, memory));
  }

  private void finish() {
    while (layout.isMoving()) {
      step(true);
    }
  }

  /**
   * Moves the keys of one bucket.
   *
   * @param waits for who has one of the buckets; else leaves the rest for the next time
   * @return whether all of them are moved
   */
  private boolean step(boolean waits) {
    Layout now = layout;
    LockedBucket leaving = lock(now.from, now.next, waits);
    if (leaving == null) {
      return false;
    }
    int before = leaving.entries();
    int moved = 0;
    try {
      leaving.catchUp(time);
      long first = now.from.firstKeyOf(now.next);
      while (leaving.entries() > 0) {
        long entry = leaving.entry(leaving.entries() - 1);
        long key = HeatBuckets.keyOf(first, entry);
        LockedBucket bucket = lock(now.to, now.to.indexOf(key), waits);
        if (bucket == null) {
          return false;
        }
        try {
          int had = bucket.entries();
          bucket.catchUp(time);
          long then = HeatBuckets.time(leaving.head);
          long caughtUp = LockedBucket.caughtUp(entry, then, HeatBuckets.time(bucket.head));
          if (caughtUp != 0) {
            put(bucket, key, caughtUp);
          }
          moved += bucket.entries() - had;
        } finally {
          bucket.unlock();
        }
        leaving.head = HeatBuckets.withEntries(leaving.head, leaving.entries() - 1);
      }
      now.next++;
      now.frontier = now.from.firstKeyOf(now.next);
    } finally {
      keys.add(moved + leaving.entries() - before);
      leaving.unlock();
    }
    if (now.next == now.from.count()) {
      layout = new Layout(now.to, now.to);
    }
    if (now.from.endsChunk(now.next)) {
      now.from.giveBackBefore(now.next);
    }
    return true;
  }
}
