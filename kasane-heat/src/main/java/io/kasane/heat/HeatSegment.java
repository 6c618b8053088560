/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.concurrent.locks.StampedLock;

/**
 * One lock stripe of a {@link HeatTracker}: an open-addressing table with linear probing, three
 * longs per place. It is its own lock, so that the lock word and the fields needed under it lie in
 * the same cache line. Every method but {@link #tryLockBriefly} expects the caller to hold the
 * write lock.
 *
 * <pre>
 *   long 0   key id                                                        64
 *   long 1   heat in 1/16 access (0 = free place) 32 | size in bytes       32
 *   long 2   changed since last save 1 | period 23 | accesses in it 20 | in the one before 20
 * </pre>
 */
@SuppressWarnings("serial") // inherits Serializable from its lock; nobody serialises a tracker
final class HeatSegment extends StampedLock {
  /** Heat of one access. Four binary places let a single access survive four halvings. */
  static final int UNIT = 16;

  static final int WORDS = 3;
  static final long MAX_SIZE = 0xFFFFFFFFL;
  static final int MAX_PERIOD_ACCESSES = (1 << 20) - 1;
  static final int PERIOD_MASK = (1 << 23) - 1;
  static final long CHANGED = 1L << 63;
  private static final long MAX_HEAT = 0xFFFFFFFFL;
  private static final int FIRST_PLACES = 16;
  private static final int SPINS = 200;
  private static final long[] EMPTY = {};

  /** One in this many keys leaves when the segment is full. */
  static final int SWEEP_DIVISOR = 8;

  private final long seed;
  private final int capacity;
  private final int mostPlaces;
  private long[] table;
  private int places;
  private int growAt;

  int size;
  int reportedSize;
  int unreported; // accesses the tracker has not been told of
  int epoch;
  long accesses;
  long totalHeat; // of every access, tracked or not, in units
  double sizeSum;
  double sizeCount;
  private HeatSketch departed;
  private int sweeps;

  /** Where this segment's keys are now; null while they are here. */
  HeatSegment[] successors;

  /** Of whoever holds the lock for a single key. */
  long stamp;

  HeatSegment(int capacity, long seed) {
    this.seed = seed;
    this.capacity = capacity;
    this.mostPlaces = (int) Math.min(Integer.MAX_VALUE / (WORDS + 1), capacity * 4L / 3 + 2);
    resize(Math.min(FIRST_PLACES, mostPlaces));
  }

  /** A stamp of the write lock, or 0 after about a microsecond. */
  long tryLockBriefly() {
    long first = tryWriteLock();
    if (first != 0) {
      return first;
    }
    for (int i = 0; i < SPINS; i++) {
      if (!isWriteLocked()) {
        long stamp = tryWriteLock();
        if (stamp != 0) {
          return stamp;
        }
      }
    }
    return 0;
  }

  void record(long keyId, long mixed, int period) {
    accesses++;
    unreported++;
    totalHeat += UNIT;
    int at = find(keyId, mixed);
    if (at < 0) {
      at = insert(keyId, mixed, period, departed == null ? 0 : departed.estimate(mixed) * UNIT);
    }
    long heatAndSize = table[at + 1];
    if (heatAndSize >>> 32 <= MAX_HEAT - UNIT) {
      table[at + 1] = heatAndSize + ((long) UNIT << 32);
    }
    table[at + 2] = countAccess(table[at + 2], period);
  }

  private static long countAccess(long window, int period) {
    int stamp = stampOf(window);
    int running = runningOf(window);
    if (stamp == period) {
      return running == MAX_PERIOD_ACCESSES ? window | CHANGED : (window | CHANGED) + (1L << 20);
    }
    int last = stamp == ((period - 1) & PERIOD_MASK) ? running : 0;
    return window(period, 1, last);
  }

  /** A changed window word. */
  static long window(int period, int running, int last) {
    return CHANGED | ((long) period << 40) | ((long) running << 20) | last;
  }

  static int stampOf(long window) {
    return (int) (window >>> 40) & PERIOD_MASK;
  }

  static int runningOf(long window) {
    return (int) (window >>> 20) & MAX_PERIOD_ACCESSES;
  }

  static int lastOf(long window) {
    return (int) window & MAX_PERIOD_ACCESSES;
  }

  /** Sets a key to a stored state, whether tracked before or not. */
  void restore(long keyId, long mixed, int heat, int sizeBytes, long window) {
    int at = find(keyId, mixed);
    if (heat == 0) {
      return;
    }
    if (at < 0) {
      at = insert(keyId, mixed, stampOf(window), 0);
    }
    table[at + 1] = ((heat & 0xFFFFFFFFL) << 32) | (sizeBytes & 0xFFFFFFFFL);
    table[at + 2] = window;
  }

  void recordSize(long keyId, long mixed, long sizeBytes) {
    sizeSum += sizeBytes;
    sizeCount += 1;
    int at = find(keyId, mixed);
    if (at >= 0) {
      setSize(at, sizeBytes);
    }
  }

  void recordPart(long keyId, long mixed, long sizeBytes) {
    int at = find(keyId, mixed);
    if (at >= 0) {
      long known = table[at + 1] & 0xFFFFFFFFL;
      if (known > 0 && known < sizeBytes) {
        setSize(at, sizeBytes);
      }
    }
  }

  private void setSize(int at, long sizeBytes) {
    table[at + 1] = (table[at + 1] & 0xFFFFFFFF00000000L) | Math.min(MAX_SIZE, sizeBytes);
    table[at + 2] |= CHANGED;
  }

  /** Heat in units in the upper half, bytes in the lower; 0 when not tracked. */
  long heatAndSizeOf(long keyId, long mixed) {
    int at = find(keyId, mixed);
    return at < 0 ? 0 : table[at + 1];
  }

  /** Offset of the key's words, or -1. */
  private int find(long keyId, long mixed) {
    long[] words = table;
    int end = places * WORDS;
    int at = KeyMix.lowerIndex(mixed, places) * WORDS;
    while (true) {
      if (words[at + 1] >>> 32 == 0) {
        return -1;
      }
      if (words[at] == keyId) {
        return at;
      }
      at += WORDS;
      if (at == end) {
        at = 0;
      }
    }
  }

  private int insert(long keyId, long mixed, int period, int heat) {
    if (size >= capacity) {
      sweep(period, Math.max(1, size / SWEEP_DIVISOR));
    } else if (size >= growAt) {
      resize((int) Math.min(mostPlaces, places * 2L));
    }
    size++;
    int at = freePlace(mixed);
    table[at] = keyId;
    table[at + 1] = (long) heat << 32;
    table[at + 2] = window(period, 0, 0);
    return at;
  }

  private int freePlace(long mixed) {
    int at = KeyMix.lowerIndex(mixed, places) * WORDS;
    while (table[at + 1] >>> 32 != 0) {
      at += WORDS;
      if (at == places * WORDS) {
        at = 0;
      }
    }
    return at;
  }

  private void resize(int newPlaces) {
    long[] old = table;
    table = new long[newPlaces * WORDS];
    places = newPlaces;
    growAt = newPlaces == mostPlaces ? Integer.MAX_VALUE : newPlaces - newPlaces / 4;
    if (old != null) {
      for (int from = 0; from < old.length; from += WORDS) {
        if (old[from + 1] >>> 32 != 0) {
          System.arraycopy(old, from, table, freePlace(mixed(old[from])), WORDS);
        }
      }
    }
  }

  long mixed(long keyId) {
    return KeyMix.mix(keyId ^ seed);
  }

  /**
   * Lets the coldest keys go, among equally cold ones those first that were not accessed in this or
   * the last period. Heat is compared in steps of an eighth of its power of two, so no key that
   * leaves is more than 12.5 % hotter than one that stays.
   *
   * @param leaving how many, 1 to {@link #size}
   */
  private void sweep(int period, int leaving) {
    if (departed == null) {
      departed = new HeatSketch(capacity);
    }
    int[] classes = new int[2 * 256];
    for (int at = 0; at < places * WORDS; at += WORDS) {
      if (table[at + 1] >>> 32 != 0) {
        classes[evictionClass(at, period)]++;
      }
    }
    int left = leaving;
    int lastClass = 0;
    while (classes[lastClass] < left) {
      left -= classes[lastClass++];
    }
    int at = KeyMix.lowerIndex(KeyMix.mix(sweeps++), places) * WORDS;
    for (int visited = 0; visited < places; ) {
      int evictionClass = table[at + 1] >>> 32 == 0 ? Integer.MAX_VALUE : evictionClass(at, period);
      if (evictionClass < lastClass || (evictionClass == lastClass && left-- > 0)) {
        departed.put(
            mixed(table[at]), (int) Math.min(HeatSketch.MAX, (table[at + 1] >>> 32) / UNIT));
        remove(at);
      } else {
        visited++;
        at = next(at);
      }
    }
  }

  /**
   * Moves everything to {@code fresh}, whose segments share the ids as ours did. The sketch stays
   * behind: keys that had left are forgotten.
   *
   * @param most keys that move, the hottest
   * @param totals takes over what belongs to no single key
   */
  void moveTo(HeatSegment[] fresh, HeatSegment totals, int period, int most) {
    if (size > most) {
      sweep(period, size - most);
    }
    forEach(
        (keyId, heat, sizeBytes, window) -> {
          long mixed = mixed(keyId);
          HeatSegment segment = fresh[KeyMix.upperIndex(mixed, fresh.length)];
          long stamp = segment.writeLock();
          try {
            segment.ageTo(epoch);
            int missed = Math.min(31, segment.epoch - epoch); // it may be further than we are
            segment.restore(keyId, mixed, heat >>> missed, sizeBytes, window);
          } finally {
            segment.unlockWrite(stamp);
          }
        });
    long stamp = totals.writeLock();
    try {
      totals.ageTo(epoch);
      totals.accesses += accesses;
      totals.totalHeat += totalHeat;
      totals.sizeSum += sizeSum;
      totals.sizeCount += sizeCount;
      totals.unreported += unreported;
    } finally {
      totals.unlockWrite(stamp);
    }
    clear();
    unreported = 0;
    table = EMPTY;
    places = 0;
    successors = fresh;
  }

  private int evictionClass(int at, int period) {
    int heat = (int) (table[at + 1] >>> 32);
    int log = 31 - Integer.numberOfLeadingZeros(heat);
    int step = log < 3 ? heat : (log - 2) * 8 + ((heat >>> (log - 3)) & 7);
    int stamp = stampOf(table[at + 2]);
    boolean recent = stamp == period || stamp == ((period - 1) & PERIOD_MASK);
    return 2 * step + (recent ? 1 : 0);
  }

  private int next(int at) {
    int next = at + WORDS;
    return next == places * WORDS ? 0 : next;
  }

  /** Frees a place and pulls later keys of the same run forward (Knuth, vol. 3, 6.4 R). */
  private void remove(int at) {
    size--;
    int hole = at;
    for (int from = next(hole); table[from + 1] >>> 32 != 0; from = next(from)) {
      int home = KeyMix.lowerIndex(mixed(table[from]), places) * WORDS;
      boolean homeAfterHole =
          hole <= from ? hole < home && home <= from : hole < home || home <= from;
      if (!homeAfterHole) {
        System.arraycopy(table, from, table, hole, WORDS);
        hole = from;
      }
    }
    table[hole + 1] = 0;
  }

  /** Halves everything once per aging missed; keys whose heat reaches 0 leave. */
  void ageTo(int newEpoch) {
    if (newEpoch <= epoch) {
      return; // the caller's epoch is older than ours
    }
    int halvings = Math.min(31, newEpoch - epoch);
    epoch = newEpoch;
    totalHeat >>>= halvings;
    sizeSum /= 1L << halvings;
    sizeCount /= 1L << halvings;
    if (departed != null) {
      for (int i = 0; i < Math.min(halvings, 8); i++) {
        departed.halve();
      }
    }
    for (int at = 0; at < places * WORDS; at += WORDS) {
      long heat = table[at + 1] >>> 32;
      if (heat != 0) {
        table[at + 1] = (Math.max(1, heat >>> halvings) << 32) | (table[at + 1] & 0xFFFFFFFFL);
        if (heat >>> halvings == 0) {
          table[at + 2] = FORGOTTEN;
        }
      }
    }
    for (int at = 0, visited = 0; visited < places; ) {
      if (table[at + 1] >>> 32 != 0 && table[at + 2] == FORGOTTEN) {
        remove(at);
      } else {
        visited++;
        at = next(at);
      }
    }
  }

  /** A window word no live key has: accesses in the last period but none in its own. */
  private static final long FORGOTTEN = 1;

  /** Calls back for every key, in table order. */
  void forEach(EntryVisitor visitor) {
    for (int at = 0; at < places * WORDS; at += WORDS) {
      if (table[at + 1] >>> 32 != 0) {
        visitor.visit(table[at], (int) (table[at + 1] >>> 32), (int) table[at + 1], table[at + 2]);
      }
    }
  }

  /**
   * As {@link #forEach}, but only keys changed since they were last marked as saved; marks them.
   */
  void forEachChanged(EntryVisitor visitor) {
    for (int at = 0; at < places * WORDS; at += WORDS) {
      if (table[at + 1] >>> 32 != 0 && (table[at + 2] & CHANGED) != 0) {
        table[at + 2] &= ~CHANGED;
        visitor.visit(table[at], (int) (table[at + 1] >>> 32), (int) table[at + 1], table[at + 2]);
      }
    }
  }

  /** Marks every key as saved. */
  void markSaved() {
    for (int at = 0; at < places * WORDS; at += WORDS) {
      table[at + 2] &= ~CHANGED;
    }
  }

  void clear() {
    table = null;
    size = 0;
    resize(Math.min(FIRST_PLACES, mostPlaces));
    departed = null;
    accesses = 0;
    totalHeat = 0;
    sizeSum = 0;
    sizeCount = 0;
  }

  long memoryBytes() {
    return 160 + 16 + 8L * table.length + (departed == null ? 0 : departed.memoryBytes());
  }

  /** Receives one entry in its raw form: heat in units and size, both unsigned. */
  interface EntryVisitor {
    void visit(long keyId, int heat, int sizeBytes, long window);
  }
}
