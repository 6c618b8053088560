/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import io.kasane.heat.HeatLogFormat.FrameWriter;
import io.kasane.heat.HeatLogFormat.Totals;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Counts accesses per key in bounded memory.
 *
 * <p><b>Counting.</b> The key's mixed id picks one of up to {@value #MAX_SEGMENTS} lock stripes of
 * about {@value #KEYS_PER_SEGMENT} keys ({@link HeatSegment}); a try-lock, one probe and one add
 * make a record. A stripe that stays locked for about a microsecond (its holder sweeps, grows or
 * lost its processor) costs the caller this one access, counted in {@link #lostAccesses()}: reads
 * never wait for heat. We chose try-locks over racing adds because growth, aging and eviction then
 * need no protocol of their own.
 *
 * <p><b>Aging.</b> Heat is halved each time a number of accesses was recorded ({@link
 * HeatTrackerOptions#agingAccesses()}) or its owner says so, never by time: a quiet night cools
 * nothing. Each stripe halves when it is next touched. Heat is a count in sixteenths, so halving
 * loses less than 1/16 access per key; an access not repeated within five agings is forgotten.
 *
 * <p><b>Eviction.</b> A stripe at its capacity c lets its coldest eighth go at once, so every key
 * met since the last sweep stays for at least c/8 further new keys. A key that leaves had at most
 * 1.29 T/c heat, T being the heat of all keys of its stripe: at least 7/8 of c keys are no more
 * than 12.5 % colder. So a key with more than 1.29 times the mean heat is never evicted. What
 * leaves is noted in a {@link HeatSketch} of 8 bytes per key and added again when the key comes
 * back: without aging its heat is then never below its true count (up to 255), and above it only by
 * what other departed keys put into all three of its places. This is space saving's promise
 * (Metwally, Agrawal, El Abbadi, ICDT 2005) with an overestimate per key in place of one for all,
 * since the smallest count in the table is a bad guess for a newcomer when most accesses miss the
 * table.
 *
 * <p>Thread-safe. It starts no thread and reads no clock but the one it is given.
 */
public final class HeatTracker {
  private static final int KEYS_PER_SEGMENT = 4096;
  private static final int MAX_SEGMENTS = 16384;
  private static final int REPORT_EVERY = 64;

  /** Of the new capacity, what the hottest keys fill after it shrank: they fall unevenly. */
  private static final double FILL_AFTER_SHRINKING = 15 / 16.0;

  private final LongSupplier clockMillis;
  private final long seed;

  /** Held shared to go over all segments, exclusively to replace them. */
  private final ReadWriteLock sizing = new ReentrantReadWriteLock();

  private volatile HeatTrackerOptions options;
  private volatile HeatSegment[] segments;
  private final AtomicLong sinceAging = new AtomicLong();
  private final AtomicInteger trackedKeys = new AtomicInteger();
  private final LongAdder lost = new LongAdder();
  private volatile int epoch;
  private volatile int period;
  private volatile boolean restored;
  private volatile boolean wholePeriod;
  private final AtomicInteger clears = new AtomicInteger();
  private long periodEnd; // guarded by this

  /**
   * An empty tracker whose first period starts now.
   *
   * @param options settings
   * @param clockMillis any clock in milliseconds; read by {@link #advance()} and {@link #clear()}
   *     only. A clock that steps back is ignored until it has caught up
   * @param seed folded into the table's hash; any value
   */
  public HeatTracker(HeatTrackerOptions options, LongSupplier clockMillis, long seed) {
    this.options = options;
    this.clockMillis = clockMillis;
    this.seed = KeyMix.mix(seed);
    segments = segmentsFor(options.capacityKeys(), this.seed);
    periodEnd = clockMillis.getAsLong() + options.periodMillis();
  }

  private static HeatSegment[] segmentsFor(int capacity, long seed) {
    int count = Math.max(1, Math.min(MAX_SEGMENTS, capacity / KEYS_PER_SEGMENT));
    HeatSegment[] segments = new HeatSegment[count];
    for (int i = 0; i < count; i++) {
      segments[i] = new HeatSegment(capacity / count + (i < capacity % count ? 1 : 0), seed);
    }
    return segments;
  }

  /**
   * Changes how many keys it tracks at most. When it shrinks, the coldest leave, and their memory
   * is given back; what had left before is forgotten. Takes about 100 ms for a million keys; every
   * other call goes on meanwhile, but for those that look at all keys, which wait. It holds one
   * stripe's keys twice while it does so, no more.
   *
   * @param capacityKeys as in {@link HeatTrackerOptions}
   */
  public void resize(int capacityKeys) {
    sizing.writeLock().lock();
    try {
      HeatTrackerOptions changed = options.withCapacityKeys(capacityKeys);
      HeatSegment[] old = segments;
      HeatSegment[] fresh = segmentsFor(capacityKeys, seed);
      boolean shrinks = capacityKeys < options.capacityKeys();
      double keysEach = FILL_AFTER_SHRINKING * capacityKeys / old.length;
      int most = shrinks ? (int) Math.max(1, keysEach) : Integer.MAX_VALUE;
      for (int i = 0; i < old.length; i++) {
        HeatSegment totals = fresh[(int) ((long) i * fresh.length / old.length)];
        long stamp = old[i].writeLock();
        try {
          old[i].ageTo(epoch);
          old[i].moveTo(fresh, totals, period, most);
        } finally {
          old[i].unlockWrite(stamp);
        }
      }
      options = changed;
      segments = fresh;
      trackedKeys.set(0);
      for (HeatSegment segment : fresh) {
        long stamp = segment.writeLock();
        try {
          segment.reportedSize = segment.size;
          trackedKeys.addAndGet(segment.size);
        } finally {
          segment.unlockWrite(stamp);
        }
      }
    } finally {
      sizing.writeLock().unlock();
    }
  }

  /**
   * Counts one access. Never blocks: gives up, and counts it as lost, after about a microsecond.
   */
  public void record(long keyId) {
    long mixed = KeyMix.mix(keyId ^ seed);
    HeatSegment segment = segmentOf(segments, mixed);
    long stamp = segment.tryLockBriefly();
    while (stamp != 0 && segment.successors != null) {
      HeatSegment next = segmentOf(segment.successors, mixed);
      segment.unlockWrite(stamp);
      segment = next;
      stamp = segment.tryLockBriefly();
    }
    if (stamp == 0) {
      lost.increment();
      return;
    }
    int accesses = 0;
    int newKeys = 0;
    try {
      if (segment.epoch != epoch) {
        segment.ageTo(epoch);
      }
      segment.record(keyId, mixed, period);
      if (segment.unreported >= REPORT_EVERY) {
        accesses = segment.unreported;
        newKeys = segment.size - segment.reportedSize;
        segment.unreported = 0;
        segment.reportedSize = segment.size;
      }
    } finally {
      segment.unlockWrite(stamp);
    }
    if (accesses != 0) {
      report(accesses, newKeys);
    }
  }

  private void report(int accesses, int newKeys) {
    int keys = newKeys == 0 ? trackedKeys.get() : trackedKeys.addAndGet(newKeys);
    long since = sinceAging.addAndGet(accesses);
    if (since >= options.agingAccessesFor(keys)) {
      synchronized (sinceAging) {
        if (sinceAging.get() >= since) {
          age(since);
        }
      }
    }
  }

  /** Halves all heat now: what was recorded so far tells less of what comes than it did. */
  public void halve() {
    synchronized (sinceAging) {
      age(sinceAging.get());
    }
  }

  private void age(long accesses) {
    synchronized (sinceAging) {
      sinceAging.addAndGet(-accesses);
      epoch = epoch + 1;
    }
  }

  private static HeatSegment segmentOf(HeatSegment[] segments, long mixed) {
    return segments[KeyMix.upperIndex(mixed, segments.length)];
  }

  /** The segment that has the key, or would; locked, to be given to {@link #unlock}. */
  private HeatSegment lock(long mixed) {
    HeatSegment segment = segmentOf(segments, mixed);
    long stamp = segment.writeLock();
    while (segment.successors != null) {
      HeatSegment next = segmentOf(segment.successors, mixed);
      segment.unlockWrite(stamp);
      segment = next;
      stamp = segment.writeLock();
    }
    segment.stamp = stamp;
    return segment;
  }

  private static void unlock(HeatSegment locked) {
    locked.unlockWrite(locked.stamp);
  }

  /** Goes over all segments, each locked and aged. */
  private void forEachSegment(Consumer<HeatSegment> visitor) {
    sizing.readLock().lock();
    try {
      for (HeatSegment segment : segments) {
        long stamp = segment.writeLock();
        try {
          segment.ageTo(epoch);
          visitor.accept(segment);
        } finally {
          segment.unlockWrite(stamp);
        }
      }
    } finally {
      sizing.readLock().unlock();
    }
  }

  private long sum(ToLongFunction<HeatSegment> number) {
    long[] sum = new long[1];
    forEachSegment(segment -> sum[0] += number.applyAsLong(segment));
    return sum[0];
  }

  /**
   * Tells the size of a key's whole partition. Keys that are not tracked only feed the mean size.
   * May wait for another thread for the time of one sweep of a lock stripe (some 100 microseconds).
   *
   * @param sizeBytes bytes on disk; values below 1 count as 1, values above 4 GiB as 4 GiB - 1
   */
  public void recordSize(long keyId, long sizeBytes) {
    long mixed = KeyMix.mix(keyId ^ seed);
    HeatSegment segment = lock(mixed);
    try {
      segment.ageTo(epoch);
      segment.recordSize(keyId, mixed, Math.max(1, Math.min(HeatSegment.MAX_SIZE, sizeBytes)));
    } finally {
      unlock(segment);
    }
  }

  /**
   * Tells the size of a part of a key's partition, such as one update of it: the partition is at
   * least as large. Does not feed the mean size, and means nothing for a key of unknown size.
   *
   * @param sizeBytes as in {@link #recordSize}
   */
  public void recordPart(long keyId, long sizeBytes) {
    long mixed = KeyMix.mix(keyId ^ seed);
    HeatSegment segment = lock(mixed);
    try {
      segment.ageTo(epoch);
      segment.recordPart(keyId, mixed, Math.min(HeatSegment.MAX_SIZE, sizeBytes));
    } finally {
      unlock(segment);
    }
  }

  /** Aged number of accesses of a key; 0 when it is not tracked. */
  public double heatOf(long keyId) {
    return (heatAndSizeOf(keyId) >>> 32) / (double) HeatSegment.UNIT;
  }

  /** Size of a key in bytes; 0 when it is not tracked or none was reported. */
  public long sizeOf(long keyId) {
    return heatAndSizeOf(keyId) & 0xFFFFFFFFL;
  }

  private long heatAndSizeOf(long keyId) {
    long mixed = KeyMix.mix(keyId ^ seed);
    HeatSegment segment = lock(mixed);
    try {
      segment.ageTo(epoch);
      return segment.heatAndSizeOf(keyId, mixed);
    } finally {
      unlock(segment);
    }
  }

  /**
   * Rolls the access period when its time is over and ages what is due. To be called about once a
   * second; a late call makes that period longer, never empty.
   */
  public synchronized void advance() {
    long now = clockMillis.getAsLong();
    if (now >= periodEnd) {
      long length = options.periodMillis();
      periodEnd += ((now - periodEnd) / length + 1) * length;
      period = (period + 1) & HeatSegment.PERIOD_MASK;
      wholePeriod = true;
    }
    forEachSegment(segment -> {}); // ages each
  }

  /** Forgets everything, as after a TRUNCATE; a first period begins. */
  public synchronized void clear() {
    forEachSegment(HeatSegment::clear);
    sinceAging.set(0);
    restored = false;
    wholePeriod = false;
    period = (period + 2) & HeatSegment.PERIOD_MASK;
    periodEnd = clockMillis.getAsLong() + options.periodMillis();
    clears.incrementAndGet();
  }

  /**
   * Copies the state stripe by stripe: each stripe is consistent in itself, and accesses recorded
   * meanwhile may be in or not. Takes about 10 ms and 24 bytes per key for a million keys; record()
   * goes on.
   */
  public HeatSnapshot snapshot() {
    int nowPeriod = period;
    HeatSnapshot.Collector collector = new HeatSnapshot.Collector(trackedKeys(), nowPeriod);
    forEachSegment(
        segment -> {
          collector.addTotals(segment);
          segment.forEach(collector);
        });
    return collector.finish(options.periodMillis(), wholePeriod, restored);
  }

  /** Keys tracked now. */
  public int trackedKeys() {
    return (int) sum(segment -> segment.size);
  }

  /** Most keys it tracks now. */
  public int capacityKeys() {
    return options.capacityKeys();
  }

  /** Bytes of heap the tracker holds now. */
  public long memoryBytes() {
    return 256 + 8L * segments.length + sum(HeatSegment::memoryBytes);
  }

  /** Accesses recorded since construction or {@link #clear()}, unaged; lost ones not included. */
  public long totalAccesses() {
    return sum(segment -> segment.accesses);
  }

  /** Accesses not counted because a lock stripe stayed busy; since construction. */
  public long lostAccesses() {
    return lost.sum();
  }

  /** Its settings now. */
  public HeatTrackerOptions options() {
    return options;
  }

  /** How often {@link #clear()} was called. */
  int clears() {
    return clears.get();
  }

  /** How often heat was halved. */
  int epoch() {
    return epoch;
  }

  /** The numbers that belong to no single key, all of one epoch. */
  Totals totals() {
    sizing.readLock().lock();
    try {
      return totalsOf(segments);
    } finally {
      sizing.readLock().unlock();
    }
  }

  private Totals totalsOf(HeatSegment[] all) {
    int nowEpoch = epoch;
    int nowPeriod = period;
    long since = sinceAging.get();
    long accesses = 0;
    long heat = 0;
    double sizeSum = 0;
    double sizeCount = 0;
    for (HeatSegment segment : all) {
      long stamp = segment.writeLock();
      try {
        segment.ageTo(nowEpoch);
        accesses += segment.accesses;
        since += segment.unreported;
        heat += segment.totalHeat;
        sizeSum += segment.sizeSum;
        sizeCount += segment.sizeCount;
      } finally {
        segment.unlockWrite(stamp);
      }
    }
    return new Totals(nowEpoch, nowPeriod, since, accesses, heat, sizeSum, sizeCount);
  }

  /** Hands all keys, or those changed since the last call, to the writer. */
  void collect(FrameWriter writer, boolean all) throws IOException {
    sizing.readLock().lock();
    try {
      for (HeatSegment segment : segments) {
        collect(segment, writer, all);
      }
    } finally {
      sizing.readLock().unlock();
    }
  }

  private void collect(HeatSegment segment, FrameWriter writer, boolean all) throws IOException {
    boolean done = false;
    while (!done) {
      int frameEpoch = epoch;
      writer.segment(frameEpoch);
      long stamp = segment.writeLock();
      try {
        segment.ageTo(frameEpoch);
        done = segment.epoch == frameEpoch; // else it was aged meanwhile: next frame
        if (done && all) {
          segment.forEach(writer);
          segment.markSaved();
        } else if (done) {
          segment.forEachChanged(writer);
        }
      } finally {
        segment.unlockWrite(stamp);
      }
    }
  }

  /** Ages up to the epoch of the frame that is restored next. */
  void restoreEpoch(int newEpoch) {
    synchronized (sinceAging) {
      epoch = Math.max(epoch, newEpoch);
    }
  }

  /** Sets one key to a stored state. */
  void restoreEntry(long keyId, int heat, int sizeBytes, long window) {
    long mixed = KeyMix.mix(keyId ^ seed);
    HeatSegment segment = lock(mixed);
    try {
      segment.ageTo(epoch);
      segment.restore(keyId, mixed, heat, sizeBytes, window);
    } finally {
      unlock(segment);
    }
  }

  /** Completes a restore; the period that was running goes on. */
  synchronized void restoreTotals(Totals totals) {
    sinceAging.addAndGet(totals.sinceAging());
    period = totals.period() & HeatSegment.PERIOD_MASK;
    HeatSegment any = lock(0);
    try {
      any.accesses += totals.accesses();
      any.totalHeat += totals.heat();
      any.sizeSum += totals.sizeSum();
      any.sizeCount += totals.sizeCount();
    } finally {
      unlock(any);
    }
    restored = totals.accesses() > 0;
  }
}
