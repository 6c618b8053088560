/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

/**
 * Remembers roughly how hot the keys were that had to leave one full segment, so that a key that
 * comes back does not start from nothing. A count-min sketch with conservative update (Estan,
 * Varghese: "New directions in traffic measurement", SIGCOMM 2002) behind an exact table is the
 * arrangement of the augmented sketch (Roy, Khan, Alonso, SIGMOD 2016): only keys outside the table
 * use the sketch, so the hottest keys, which make most of a sketch's error, are not in it.
 *
 * <p>It never forgets downwards: between two agings an estimate is at least the heat the key left
 * with (up to {@value #MAX} accesses), and may be more when others share all its places. One byte
 * per place, {@value #PLACES_PER_KEY} places per key of the segment's capacity. Guarded by the
 * segment's lock.
 */
final class HeatSketch {
  static final int PLACES_PER_KEY = 8;
  static final int MAX = 255;
  private static final int ROWS = 3;

  private final byte[] places;

  HeatSketch(int capacityKeys) {
    places = new byte[Math.max(64, capacityKeys * PLACES_PER_KEY)];
  }

  /** Whole accesses, 0 to {@value #MAX}, that a key of this mixed id was last seen with. */
  int estimate(long mixed) {
    int least = MAX;
    long h = mixed;
    for (int row = 0; row < ROWS; row++) {
      h = KeyMix.mix(h);
      least = Math.min(least, places[KeyMix.upperIndex(h, places.length)] & 0xFF);
    }
    return least;
  }

  /** Notes that a key left with this many accesses. */
  void put(long mixed, int accesses) {
    int kept = Math.min(MAX, accesses);
    long h = mixed;
    for (int row = 0; row < ROWS; row++) {
      h = KeyMix.mix(h);
      int at = KeyMix.upperIndex(h, places.length);
      if ((places[at] & 0xFF) < kept) {
        places[at] = (byte) kept;
      }
    }
  }

  void halve() {
    for (int i = 0; i < places.length; i++) {
      places[i] = (byte) ((places[i] & 0xFF) >>> 1);
    }
  }

  long memoryBytes() {
    return 16L + places.length;
  }
}
