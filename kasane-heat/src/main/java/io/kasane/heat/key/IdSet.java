/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.key;

/** An immutable set of ids: open addressing, 12 bytes per id. */
public final class IdSet {
  public static final IdSet EMPTY = new IdSet(new long[0], 0);

  private final long[] table; // 0 marks a free place; id 0 itself is kept in holdsZero
  private final boolean holdsZero;
  private final int size;

  /** The first {@code count} of {@code ids}, which must differ from each other. */
  public IdSet(long[] ids, int count) {
    size = count;
    table = new long[(int) Math.min(Integer.MAX_VALUE - 8, count + (count >> 1) + 1L)];
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
    holdsZero = zero;
  }

  public int size() {
    return size;
  }

  public boolean contains(long id) {
    if (id == 0) {
      return holdsZero;
    }
    int at = KeyMix.lowerIndex(KeyMix.mix(id), table.length);
    while (true) {
      long seen = table[at];
      if (seen == id) {
        return true;
      }
      if (seen == 0) {
        return false;
      }
      at = at + 1 == table.length ? 0 : at + 1;
    }
  }
}
