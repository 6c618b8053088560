/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import io.kasane.heat.hotset.HeatJudge;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.key.HeatKey;
import io.kasane.heat.key.KeyMix;
import io.kasane.heat.table.HeatBuckets;
import io.kasane.heat.table.HeatChunks;
import io.kasane.heat.table.HeatEntry;
import io.kasane.heat.table.HeatTable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts accesses per key in bounded memory outside the heap.
 *
 * <p><b>Counting.</b> A {@link HeatTable} has eight bytes for a key: its upper 38 bits, its heat,
 * its size and its accesses in two periods, the last three as floating-point numbers that are right
 * in the mean. A bucket that stays locked for about a microsecond costs the caller this one access,
 * counted in {@link #lostAccesses()}: a read waits for no other. Accesses are counted some at a
 * time: who asks for one key may miss the last few that other threads have recorded.
 *
 * <p><b>Aging.</b> Heat is halved each time a number of accesses was recorded ({@link
 * HeatTrackerOptions#agingAccesses()}) or its owner says so, never by time: a quiet night cools
 * nothing. Heat is a count in sixteenths, so halving loses less than 1/16 access per key; an access
 * not repeated within five agings is forgotten.
 *
 * <p><b>Looking at all.</b> What is drawn from all keys, such as a hot set, is drawn from those of
 * some buckets, the same ones each time: {@link #SAMPLED_KEYS} keys or a few more. Up to that many,
 * all are looked at. A walk over all, a sixty-fourth of the keys each second, about {@link
 * #SAMPLED_KEYS} at most, forgets what has cooled down and remembers what is hot.
 *
 * <p>Thread-safe. It starts no thread and reads no clock but the one it is given.
 */
public final class HeatTracker implements AutoCloseable {
  /** Most keys that are all looked at to draw a hot set, and about as many to judge them. */
  public static final int SAMPLED_KEYS = 1 << 17;

  /** Most accesses of a key that are counted in a period. */
  public static final int MAX_PERIOD_ACCESSES = HeatEntry.MAX_ACCESSES;

  private static final int REPORT_EVERY = 64;
  private static final int MIN_ADVANCES_OF_A_WALK = 64;

  /** Of a bucket that is not soon split. */
  private static final int MEAN_KEYS = 8;

  private final LongSupplier clockMillis;
  private final long seed;
  private final HeatTable table;
  private final PendingAccesses pending = new PendingAccesses(this::count);
  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong sinceAging = new AtomicLong();
  private final LongAdder lost = new LongAdder();
  private final AtomicInteger clears = new AtomicInteger();
  private volatile HeatTrackerOptions options;
  private volatile HeatJudge judge = HeatJudge.NOBODY;
  private volatile boolean restored;
  private volatile boolean restoring;
  private volatile boolean closed;
  private volatile boolean wholePeriod;
  private volatile int halvings;
  private volatile int period;
  private long periodEnd; // guarded by this
  private final HeatWalk walk = new HeatWalk(); // guarded by this

  /** Of what was saved and could not be restored whole: these accesses tell of no key. */
  private volatile long untold;

  // Guarded by sinceAging.
  private double heatBefore;
  private long accessesBefore;
  private double sizeSum;
  private double sizeCount;
  private long beforePeriod;
  private long beforeLastPeriod;

  /**
   * An empty tracker with memory of its own, whose first period starts now.
   *
   * @param options settings
   * @param clockMillis any clock in milliseconds; read by {@link #advance()} and {@link #clear()}
   *     only. A clock that steps back is ignored until it has caught up
   * @param seed of chance; any value
   */
  public HeatTracker(HeatTrackerOptions options, LongSupplier clockMillis, long seed) {
    this(options, clockMillis, seed, new HeatChunks());
  }

  HeatTracker(HeatTrackerOptions options, LongSupplier clockMillis, long seed, HeatChunks memory) {
    this.options = options;
    this.clockMillis = clockMillis;
    this.seed = KeyMix.mix(seed);
    this.table = new HeatTable(options.capacityKeys(), memory);
    periodEnd = clockMillis.getAsLong() + options.periodMillis();
  }

  /**
   * Changes how many keys it tracks at most. When it shrinks, the coldest leave, and their memory
   * is given back, which takes about 0.2 s for a million keys; every other call goes on meanwhile.
   *
   * @param capacityKeys as in {@link HeatTrackerOptions}
   */
  public void resize(int capacityKeys) {
    options = options.withCapacityKeys(capacityKeys);
    table.resize(capacityKeys);
  }

  /** Gives its memory back. Who asks for a temperature hears that nothing is known. */
  @Override
  public void close() {
    closed = true;
    table.close();
  }

  // ---- one key

  /** What is known of a key's id: ids of which this is the same are one key. */
  public static long knownOf(long keyId) {
    return HeatKey.prefixOf(keyId);
  }

  /**
   * Counts one access. Waits for no other: gives up, and counts it as lost, after about a
   * microsecond. The first key of a chunk of memory waits until that is there.
   *
   * @param keyId its upper 38 bits are what counts; they need not be well mixed
   */
  public void record(long keyId) {
    long key = HeatKey.of(keyId);
    if (!pending.add(key)) {
      count(new long[] {key}, 0, 1);
    }
  }

  private void count(long[] keys, int from, int count) {
    long before = counted.getAndAdd(count);
    table.fetch(keys, from, count);
    int missed = 0;
    for (int i = 0; i < count; i++) {
      long key = keys[from + i];
      if (!table.record(key, random(key ^ ((before + i) << HeatKey.BITS)))) {
        missed++;
      }
    }
    if (missed > 0) {
      counted.addAndGet(-missed);
      lost.add(missed);
    }
    if ((before + count) / REPORT_EVERY > before / REPORT_EVERY) {
      report();
    }
  }

  /** The same of the same, so that the same calls give the same answers. */
  private long random(long of) {
    return KeyMix.mix(seed ^ of);
  }

  private void report() {
    long since = sinceAging.addAndGet(REPORT_EVERY);
    if (since >= options.agingAccessesFor(table.keys())) {
      age(since);
    }
  }

  /** Halves all heat now: what was recorded so far tells less of what comes than it did. */
  public void halve() {
    pending.countAll();
    age(0);
  }

  /** Unless it was done while the caller waited. */
  private void age(long leastAccesses) {
    synchronized (sinceAging) {
      long since = sinceAging.get();
      if (since < leastAccesses) {
        return;
      }
      sinceAging.addAndGet(-since);
      long now = counted.get();
      heatBefore = allHeat(now) / 2;
      accessesBefore = now;
      sizeSum /= 2;
      sizeCount /= 2;
      halvings++;
      table.setTime(halvings, period);
    }
  }

  private double allHeat(long accessesNow) {
    return heatBefore + (double) (accessesNow - accessesBefore) * HeatEntry.UNIT;
  }

  /**
   * Tells the size of a key's whole partition. Keys that are not tracked only feed the mean size.
   *
   * @param sizeBytes bytes on disk; values below 1 count as 1, values above 4 GiB as 4 GiB - 1
   */
  public void recordSize(long keyId, long sizeBytes) {
    long bytes = Math.max(1, Math.min(HeatEntry.MAX_SIZE, sizeBytes));
    synchronized (sinceAging) {
      sizeSum += bytes;
      sizeCount += 1;
    }
    long key = HeatKey.of(keyId);
    int code = HeatEntry.sizeCodeOf(bytes, random(key ^ bytes));
    pending.countMine();
    table.update(key, entry -> HeatEntry.withSize(entry, code));
  }

  /**
   * Tells the size of a part of a key's partition, such as one update of it: the partition is at
   * least as large. Does not feed the mean size, and means nothing for a key of unknown size.
   *
   * @param sizeBytes as in {@link #recordSize}
   */
  public void recordPart(long keyId, long sizeBytes) {
    long key = HeatKey.of(keyId);
    long bytes = Math.min(HeatEntry.MAX_SIZE, sizeBytes);
    int code = bytes < 1 ? 0 : HeatEntry.sizeCodeOf(bytes, random(key ^ bytes));
    pending.countMine();
    table.update(
        key,
        entry -> {
          int known = HeatEntry.sizeCode(entry);
          return known > 0 && known < code ? HeatEntry.withSize(entry, code) : entry;
        });
  }

  /** Aged number of accesses of a key; 0 when it is not tracked. */
  public double heatOf(long keyId) {
    return HeatEntry.heat(entryOf(keyId)) / (double) HeatEntry.UNIT;
  }

  /** Size of a key in bytes, to 6 %; 0 when it is not tracked or none was reported. */
  public long sizeOf(long keyId) {
    return HeatEntry.size(entryOf(keyId));
  }

  private long entryOf(long keyId) {
    pending.countMine();
    return table.entryOf(HeatKey.of(keyId));
  }

  /** What is judged of a key now; it counts as hot or not from then on. */
  public Temperature judge(long keyId, HeatJudge by) {
    long key = HeatKey.of(keyId);
    pending.countMine();
    double heatNow = totalHeat();
    Temperature[] answer = {by.others()};
    table.update(
        key,
        entry -> {
          answer[0] = by.judge(key, entry, heatNow);
          return HeatEntry.marked(entry, answer[0] == Temperature.HOT);
        });
    return closed ? Temperature.UNKNOWN : answer[0];
  }

  /** Of all accesses, aged, in accesses. */
  private double totalHeat() {
    synchronized (sinceAging) {
      return allHeat(counted.get()) / HeatEntry.UNIT;
    }
  }

  // ---- all keys

  /**
   * Rolls the access period when its time is over and ages what is due. To be called about once a
   * second; a late call makes that period longer, never empty.
   */
  public synchronized void advance() {
    pending.countAll();
    long now = clockMillis.getAsLong();
    if (now >= periodEnd) {
      long length = options.periodMillis();
      periodEnd += ((now - periodEnd) / length + 1) * length;
      wholePeriod = true;
      synchronized (sinceAging) {
        period = (period + 1) & HeatBuckets.PERIOD_MASK;
        table.setTime(halvings, period);
        beforeLastPeriod = beforePeriod;
        beforePeriod = counted.get();
      }
    }
    walk();
  }

  /** Ages and judges all keys, or the next ones. */
  private void walk() {
    boolean isSmall = sampledOf() == 1;
    long from = isSmall ? 0 : walk.next();
    long parts = Math.max(MIN_ADVANCES_OF_A_WALK, table.keys() / SAMPLED_KEYS);
    long to = isSmall ? HeatKey.END : Math.min(HeatKey.END, from + HeatKey.END / parts);
    HeatJudge by = judge;
    double all = totalHeat();
    double[] walked = new double[1];
    table.forEach(
        from,
        to,
        1,
        (key, entry) -> {
          walked[0] += HeatEntry.heat(entry);
          return by.marked(key, entry, all);
        });
    walk.walked(to, all == 0 ? 0 : walked[0] / HeatEntry.UNIT / all);
  }

  /** How many buckets one stands for in a sample: a power of two. */
  private int sampledOf() {
    int stride = 1;
    while (Math.max(table.keys(), MEAN_KEYS * (long) table.buckets()) / stride > SAMPLED_KEYS) {
      stride *= 2;
    }
    return stride;
  }

  /** By what keys are judged from now on when nobody asks. */
  public void judgeBy(HeatJudge by) {
    judge = by;
  }

  /** Forgets everything, as after a TRUNCATE; a first period begins. */
  public synchronized void clear() {
    clears.incrementAndGet(); // what is on its way to be restored is none of it
    pending.countAll(); // and then forgets that
    table.clear();
    walk.beginAgain();
    restored = false;
    untold = 0;
    wholePeriod = false;
    periodEnd = clockMillis.getAsLong() + options.periodMillis();
    synchronized (sinceAging) {
      sinceAging.set(0);
      counted.set(0);
      heatBefore = 0;
      accessesBefore = 0;
      beforePeriod = 0;
      beforeLastPeriod = 0;
      sizeSum = 0;
      sizeCount = 0;
      period = (period + 2) & HeatBuckets.PERIOD_MASK;
      table.setTime(halvings, period);
    }
  }

  /**
   * Copies what there is of some keys, bucket by bucket: accesses recorded meanwhile may be in or
   * not. Takes about 10 ms and 16 bytes a key for 100,000 keys; there are never many more.
   */
  public HeatSnapshot snapshot() {
    pending.countAll();
    int stride = sampledOf();
    HeatSnapshot.Collector collector =
        new HeatSnapshot.Collector((int) (table.keys() / stride), stride);
    table.forEach(0, HeatKey.END, stride, collector);
    return new HeatSnapshot(collector, totals(), walk.trackedShare(), this);
  }

  /** The numbers that belong to no single key. */
  public HeatTotals totals() {
    pending.countAll();
    synchronized (sinceAging) {
      long accesses = counted.get();
      return new HeatTotals(
          halvings,
          period,
          sinceAging.get(),
          accesses,
          (long) allHeat(accesses),
          sizeSum,
          sizeCount);
    }
  }

  /** Accesses in the newest completed period and so far in the running one. */
  long newerAccesses() {
    synchronized (sinceAging) {
      return counted.get() - beforeLastPeriod;
    }
  }

  boolean isRestored() {
    return restored;
  }

  boolean hasWholePeriod() {
    return wholePeriod;
  }

  /** Keys tracked now. */
  public long trackedKeys() {
    pending.countAll();
    return table.keys();
  }

  /** Most keys it tracks now. */
  public int capacityKeys() {
    return options.capacityKeys();
  }

  /** Bytes of memory outside the heap that the tracker holds now. */
  public long memoryBytes() {
    return table.bytes();
  }

  /** Accesses recorded since construction or {@link #clear()}, unaged; lost ones not included. */
  public long totalAccesses() {
    pending.countAll();
    return counted.get();
  }

  /** Accesses not counted because a bucket stayed locked; since construction. */
  public long lostAccesses() {
    return lost.sum();
  }

  /** Its settings now. */
  public HeatTrackerOptions options() {
    return options;
  }

  /** How often {@link #clear()} was called. */
  public int clears() {
    return clears.get();
  }

  public HeatTable table() {
    return table;
  }

  /**
   * Goes on from what was saved: to be called before the entries come.
   *
   * @param ofClears how often it was cleared when restoring began; nothing happens if it was since
   */
  public synchronized void restoreTotals(HeatTotals saved, int ofClears) {
    if (clears() != ofClears) {
      return;
    }
    synchronized (sinceAging) {
      sinceAging.addAndGet(saved.sinceAging());
      heatBefore += saved.heat();
      accessesBefore += saved.accesses();
      beforePeriod += saved.accesses();
      beforeLastPeriod += saved.accesses();
      counted.addAndGet(saved.accesses());
      sizeSum += saved.sizeSum();
      sizeCount += saved.sizeCount();
      halvings = saved.halvings();
      period = saved.period() & HeatBuckets.PERIOD_MASK;
      table.setTime(halvings, period);
    }
    untold = saved.accesses();
  }

  /** Runs while nobody clears it, unless somebody has; returns whether it ran. */
  public synchronized boolean unlessCleared(int ofClears, Runnable restore) {
    if (clears() != ofClears) {
      return false;
    }
    restore.run();
    return true;
  }

  /** All that was saved is there: what is not there is known to be cold. */
  public synchronized void restored() {
    untold = 0;
    walk.beginAgain();
    restored = counted.get() > 0;
  }

  /** Accesses that tell of no key, since what was saved could not be restored whole. */
  long untoldAccesses() {
    return untold;
  }

  /** Whether what was saved is on its way. */
  public void restores(boolean nowRestoring) {
    restoring = nowRestoring;
  }

  /** Whether what was saved before is still being read: what is not there may be hot. */
  public boolean isRestoring() {
    return restoring;
  }
}
