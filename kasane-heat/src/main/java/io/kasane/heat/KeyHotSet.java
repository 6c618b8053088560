/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

/**
 * A hot set as an open-addressing table of ids, 12 bytes per hot key: the ids named are hot, all
 * others share one temperature. Built by {@link HotSetBuilder}.
 */
final class KeyHotSet implements HotSet {
  static final KeyHotSet UNKNOWN = new KeyHotSet(new long[0], 0, Temperature.UNKNOWN, 0, 0);

  private final long[] table; // 0 marks a free place; id 0 itself is kept in holdsZero
  private final boolean holdsZero;
  private final Temperature others;
  private final long hotKeys;
  private final long hotBytes;
  private final double accessShare;

  KeyHotSet(long[] ids, int count, Temperature others, long hotBytes, double accessShare) {
    this.others = others;
    this.hotKeys = count;
    this.hotBytes = hotBytes;
    this.accessShare = accessShare;
    this.table = new long[(int) Math.min(Integer.MAX_VALUE - 8, count + (count >> 1) + 1L)];
    boolean zero = false;
    for (int i = 0; i < count; i++) {
      if (ids[i] == 0) {
        zero = true;
      } else {
        int at = KeyMix.lowerIndex(KeyMix.mix(ids[i]), table.length);
        while (table[at] != 0 && table[at] != ids[i]) {
          at = at + 1 == table.length ? 0 : at + 1;
        }
        table[at] = ids[i];
      }
    }
    this.holdsZero = zero;
  }

  @Override
  public Temperature temperatureOf(long keyId) {
    return contains(keyId) ? Temperature.HOT : others;
  }

  private boolean contains(long keyId) {
    if (keyId == 0) {
      return holdsZero;
    }
    int at = KeyMix.lowerIndex(KeyMix.mix(keyId), table.length);
    while (true) {
      long seen = table[at];
      if (seen == keyId) {
        return true;
      }
      if (seen == 0) {
        return false;
      }
      at = at + 1 == table.length ? 0 : at + 1;
    }
  }

  @Override
  public long hotKeys() {
    return hotKeys;
  }

  @Override
  public long hotBytes() {
    return hotBytes;
  }

  @Override
  public double accessShare() {
    return accessShare;
  }

  @Override
  public String toString() {
    return "HotSet[keys="
        + hotKeys
        + ", bytes="
        + hotBytes
        + ", accessShare="
        + accessShare
        + ", others="
        + others
        + "]";
  }
}
