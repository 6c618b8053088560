/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.Arrays;
import org.apache.cassandra.io.util.SafeMemory;

/** Takes tokens for a {@link SortedTokenSet}, outside the heap. Used by one thread. */
public final class SortedTokenSetBuilder implements AutoCloseable {
  private static final int MIN_TOKENS = 64; // half a kilobyte: fewer are not worth a copy
  private static final double MAX_SLACK = 1.125; // an eighth more is not worth a copy

  private final long expected;
  private SafeMemory tokens; // null: nothing was added, or all was built
  private int size;
  private long last;
  private boolean isSorted = true;

  /** Takes any number of tokens. */
  public SortedTokenSetBuilder() {
    this(0);
  }

  /**
   * Takes any number of tokens.
   *
   * @param expected about how many
   */
  SortedTokenSetBuilder(long expected) {
    this.expected = expected;
  }

  /** Adds a token that may be there already. Cheapest in their order. */
  public void add(long token) {
    if (size > 0 && token == last) {
      return;
    }
    isSorted &= size == 0 || token > last;
    long end = (long) Long.BYTES * size;
    if (tokens == null) {
      tokens = new SafeMemory(Long.BYTES * Math.max(MIN_TOKENS, expected));
    } else if (end == tokens.size()) {
      resize(tokens.size() + tokens.size() / 2 / Long.BYTES * Long.BYTES);
    }
    tokens.setLong(end, token);
    size = Math.addExact(size, 1);
    last = token;
  }

  /** Takes a token out, if it was the last that was added. */
  void removeLast(long token) {
    if (size > 0 && last == token) {
      size--;
      last = size > 0 ? tokens.getLong((long) Long.BYTES * (size - 1)) : 0;
    }
  }

  /** Forgets all that was added. */
  void clear() {
    size = 0;
    isSorted = true;
  }

  /** What was added. Nothing may be added afterwards. */
  public SortedTokenSet build() {
    if (size == 0) {
      return SortedTokenSet.of();
    }
    if (!isSorted) {
      sort();
    }
    if (tokens.size() > MAX_SLACK * Long.BYTES * size) {
      resize((long) Long.BYTES * size);
    }
    SortedTokenSet run = SortedTokenSet.over(tokens, size);
    tokens = null;
    size = 0;
    return run;
  }

  /** On the heap: only what comes in no order, and that is little. */
  private void sort() {
    long[] all = new long[size];
    Arrays.setAll(all, i -> tokens.getLong((long) Long.BYTES * i));
    Arrays.sort(all);
    size = 0;
    isSorted = true;
    for (long token : all) {
      add(token);
    }
  }

  private void resize(long bytes) {
    SafeMemory larger = tokens.copy(bytes);
    tokens.close();
    tokens = larger;
  }

  @Override
  public void close() {
    if (tokens != null) {
      tokens.close();
      tokens = null;
    }
  }
}
