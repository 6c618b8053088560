/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

/**
 * What is known of one key, in one long. 0 is a free place.
 *
 * <pre>
 *   which key 30 | heat 12 | size 9 | accesses in its period 6 | in the one before 6 | marked hot 1
 * </pre>
 *
 * The four numbers have an exponent of 5 or, accesses, 4 bits and a fraction of 7, 4, or 2 bits. A
 * number between two of them becomes one or the other by chance, so that sums are right in the mean
 * (Morris, "Counting large numbers of events in small registers", CACM 1978).
 */
public final class HeatEntry {
  /** Heat of one access. Four binary places let a single access survive four halvings. */
  public static final int UNIT = 16;

  public static final long MAX_SIZE = 0xFFFFFFFFL;
  public static final int KEY_BITS = 30;
  static final int KEY_SHIFT = Long.SIZE - KEY_BITS;
  static final int KEY_MASK = (1 << KEY_BITS) - 1;

  private static final int HEAT_SHIFT = 22;
  private static final int HEAT_MASK = (1 << 12) - 1;
  private static final int HEAT_FRACTION = 7;
  private static final int HEAT_FRACTION_MASK = (1 << HEAT_FRACTION) - 1;
  private static final int SIZE_SHIFT = 13;
  private static final int SIZE_MASK = (1 << 9) - 1;
  private static final int SIZE_FRACTION = 4;
  private static final int RUNNING_SHIFT = 7;
  private static final int LAST_SHIFT = 1;
  private static final int COUNT_MASK = (1 << 6) - 1;
  private static final int COUNT_FRACTION = 2;

  /** Most accesses that are counted in a period. */
  public static final int MAX_ACCESSES = (int) decode(COUNT_MASK, COUNT_FRACTION);

  static final long HOT = 1;

  private HeatEntry() {}

  static long of(long key, int heatCode, int sizeCode) {
    return (key << KEY_SHIFT) | ((long) heatCode << HEAT_SHIFT) | ((long) sizeCode << SIZE_SHIFT);
  }

  /** The lower bits of its key. */
  public static int key(long entry) {
    return (int) (entry >>> KEY_SHIFT);
  }

  static int heatCode(long entry) {
    return (int) (entry >>> HEAT_SHIFT) & HEAT_MASK;
  }

  /** Heat in units of a sixteenth of an access. */
  public static long heat(long entry) {
    return decode(heatCode(entry), HEAT_FRACTION);
  }

  public static int sizeCode(long entry) {
    return (int) (entry >>> SIZE_SHIFT) & SIZE_MASK;
  }

  /** Bytes; 0 if not known. */
  public static long size(long entry) {
    return decode(sizeCode(entry), SIZE_FRACTION);
  }

  public static int running(long entry) {
    return (int) decode((int) (entry >>> RUNNING_SHIFT) & COUNT_MASK, COUNT_FRACTION);
  }

  public static int last(long entry) {
    return (int) decode((int) (entry >>> LAST_SHIFT) & COUNT_MASK, COUNT_FRACTION);
  }

  /** Orders entries: by heat, and of equal ones those later that were accessed of late. */
  static int warmth(long entry) {
    long counts = (entry >>> LAST_SHIFT) & ((1 << (2 * (RUNNING_SHIFT - LAST_SHIFT))) - 1);
    return 2 * heatCode(entry) + (counts == 0 ? 0 : 1);
  }

  /** The hotter of two entries of a key, with the size that one of them knows. */
  static long hotter(long one, long other) {
    long hotter = warmth(one) >= warmth(other) ? one : other;
    int size = Math.max(sizeCode(one), sizeCode(other));
    return sizeCode(hotter) == 0 ? withSize(hotter, size) : hotter;
  }

  public static boolean isHot(long entry) {
    return (entry & HOT) != 0;
  }

  public static long marked(long entry, boolean hot) {
    return hot ? entry | HOT : entry & ~HOT;
  }

  static long withHeat(long entry, int heatCode) {
    return (entry & ~((long) HEAT_MASK << HEAT_SHIFT)) | ((long) heatCode << HEAT_SHIFT);
  }

  public static long withSize(long entry, int sizeCode) {
    return (entry & ~((long) SIZE_MASK << SIZE_SHIFT)) | ((long) sizeCode << SIZE_SHIFT);
  }

  /** The entry after so many halvings; 0 if no heat is left. */
  static long halved(long entry, int halvings) {
    int code = heatCode(entry);
    int exponent = code >>> HEAT_FRACTION;
    int whole = Math.min(halvings, Math.max(0, exponent - 1));
    int rest = halvings - whole;
    int left = code - (whole << HEAT_FRACTION);
    if (rest > 0) {
      long heat = decode(left, HEAT_FRACTION) >>> Math.min(31, rest);
      if (heat == 0) {
        return 0;
      }
      left = (int) heat; // with an exponent of at most 1 the code is the number
    }
    return withHeat(entry, left);
  }

  /**
   * One access more. Nearly without branches: what a key is like cannot be foreseen.
   *
   * @param random any number
   */
  static long accessed(long entry, long random) {
    return entry
        + ((long) heatSteps(heatCode(entry), random) << HEAT_SHIFT)
        + ((long) countSteps((int) (entry >>> RUNNING_SHIFT) & COUNT_MASK, random >>> 32)
            << RUNNING_SHIFT);
  }

  /** How many numbers further the heat is. */
  private static int heatSteps(int code, long random) {
    int shift = Math.max(0, (code >>> HEAT_FRACTION) - 1); // of a step to the next number
    long chance = random & ((1L << shift) - 1);
    int steps = (int) ((UNIT + chance) >>> shift);
    // Past the end of an exponent, but for the first, steps are twice as long.
    int past = (code & HEAT_FRACTION_MASK) + steps - HEAT_FRACTION_MASK - 1;
    int over = Math.max(0, past) & -Math.min(1, code >>> HEAT_FRACTION);
    return Math.min(steps - ((over + 1) >>> 1), HEAT_MASK - code);
  }

  /** 1 or, by chance, 0. */
  private static int countSteps(int code, long random) {
    int shift = Math.max(0, (code >>> COUNT_FRACTION) - 1);
    int step = (int) ((1 + (random & ((1L << shift) - 1))) >>> shift);
    return Math.min(step, COUNT_MASK - code);
  }

  /** The entry so many periods later. */
  static long later(long entry, int periods) {
    long counts = (entry >>> RUNNING_SHIFT) & COUNT_MASK;
    long cleared =
        entry & ~(((long) COUNT_MASK << RUNNING_SHIFT) | ((long) COUNT_MASK << LAST_SHIFT));
    return periods == 1 ? cleared | (counts << LAST_SHIFT) : cleared;
  }

  static int heatCodeOf(long units, long random) {
    return encode(units, HEAT_FRACTION, HEAT_MASK, random);
  }

  public static int sizeCodeOf(long bytes, long random) {
    return encode(bytes, SIZE_FRACTION, SIZE_MASK, random);
  }

  private static long decode(int code, int fraction) {
    int exponent = code >>> fraction;
    if (exponent == 0) {
      return code;
    }
    return ((1L << fraction) | (code & ((1 << fraction) - 1))) << (exponent - 1);
  }

  private static int encode(long value, int fraction, int most, long random) {
    int bits = 64 - Long.numberOfLeadingZeros(value);
    int shift = Math.max(0, bits - fraction - 1);
    long rest = value & ((1L << shift) - 1);
    long code = (value >>> shift) + ((long) shift << fraction);
    boolean up = shift > 0 && (random & ((1L << shift) - 1)) < rest;
    return (int) Math.min(most, code + (up ? 1 : 0));
  }
}
