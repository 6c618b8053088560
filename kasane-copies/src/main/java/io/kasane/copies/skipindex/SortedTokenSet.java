/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.apache.cassandra.io.util.SafeMemory;

/**
 * A set of tokens, sorted, outside the heap: some 8.2 bytes each. Nothing can be added; {@link
 * #removeAll} writes a neighbour in the place of a token, so that what is searched meanwhile is
 * sorted at any moment and never moves.
 *
 * <p>Whoever has a run closes it. {@link #share} gives another name to the same set, to be closed
 * on its own; the memory is free when all are closed. Look-ups are safe beside one thread that
 * removes, and not after {@code close}.
 */
public final class SortedTokenSet implements AutoCloseable {
  /** Has no memory to be given back. */
  private static final SortedTokenSet NONE =
      new SortedTokenSet(null, null, 0, 0, 0, 0, new AtomicInteger());

  /** Four cache lines to search; their fence is an eighth of a byte a token. */
  private static final int FENCE_TOKENS = 32;

  /** What a search costs in steps from one token to the next. */
  private static final int SEARCH_STEPS = 16;

  private final SafeMemory tokens;
  private final SafeMemory fences; // where the tokens of each equal part of the range begin
  private final int size;
  private final long least;
  private final long most;
  private final int shift;
  private final AtomicInteger removed;

  private SortedTokenSet(
      SafeMemory tokens,
      SafeMemory fences,
      int size,
      long least,
      long most,
      int shift,
      AtomicInteger removed) {
    this.tokens = tokens;
    this.fences = fences;
    this.size = size;
    this.least = least;
    this.most = most;
    this.shift = shift;
    this.removed = removed;
  }

  /** The tokens, in any order. */
  public static SortedTokenSet of(long... tokens) {
    if (tokens.length == 0) {
      return NONE;
    }
    try (SortedTokenSetBuilder all = new SortedTokenSetBuilder(tokens.length)) {
      for (long token : tokens) {
        all.add(token);
      }
      return all.build();
    }
  }

  /** Takes over memory that holds {@code size} tokens, one at least, sorted, each once. */
  static SortedTokenSet over(SafeMemory tokens, int size) {
    long least = tokens.getLong(0);
    long most = tokens.getLong((long) Long.BYTES * (size - 1));
    int partBits = Math.max(1, 31 - Integer.numberOfLeadingZeros(size / FENCE_TOKENS + 1));
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(most - least) - partBits);
    int parts = (int) ((most - least) >>> shift) + 1;
    SafeMemory fences = new SafeMemory((long) Integer.BYTES * (parts + 1));
    int part = 0;
    for (int i = 0; i < size; i++) {
      int here = (int) ((tokens.getLong((long) Long.BYTES * i) - least) >>> shift);
      for (; part <= here; part++) {
        fences.setInt((long) Integer.BYTES * part, i);
      }
    }
    fences.setInt((long) Integer.BYTES * parts, size);
    return new SortedTokenSet(tokens, fences, size, least, most, shift, new AtomicInteger());
  }

  /** The tokens of all {@code runs}, which stay; in memory of its own. */
  static SortedTokenSet union(List<SortedTokenSet> runs) {
    if (runs.size() <= 1) {
      return runs.isEmpty() ? NONE : runs.get(0).filter(token -> true);
    }
    int half = runs.size() / 2;
    try (SortedTokenSet one = union(runs.subList(0, half));
        SortedTokenSet other = union(runs.subList(half, runs.size()))) {
      return union(one, other);
    }
  }

  private static SortedTokenSet union(SortedTokenSet one, SortedTokenSet other) {
    try (SortedTokenSetBuilder all = new SortedTokenSetBuilder((long) one.size + other.size)) {
      Cursor left = one.cursor();
      Cursor right = other.cursor();
      while (left.isAtToken() || right.isAtToken()) {
        if (!right.isAtToken() || (left.isAtToken() && left.token() <= right.token())) {
          all.add(left.token());
          left.next();
        } else {
          all.add(right.token());
          right.next();
        }
      }
      return all.build();
    }
  }

  /** The tokens that pass. */
  SortedTokenSet filter(LongPredicate keep) {
    try (SortedTokenSetBuilder kept = new SortedTokenSetBuilder(size())) {
      for (Cursor all = cursor(); all.isAtToken(); all.next()) {
        if (keep.test(all.token())) {
          kept.add(all.token());
        }
      }
      return kept.build();
    }
  }

  /** These tokens without those of {@code others}. */
  SortedTokenSet without(SortedTokenSet others) {
    return filter(others.asked(size()).negate());
  }

  /** Passes each token once, in order; which of those that are removed meanwhile, is open. */
  final class Cursor {
    private int at;
    private long token;

    private Cursor() {
      at = SortedTokenSet.this.size() == 0 ? size : 0;
      token = isAtToken() ? tokenAt(at) : 0;
    }

    boolean isAtToken() {
      return at < size;
    }

    long token() {
      return token;
    }

    void next() {
      long before = token;
      while (isAtToken() && token == before) {
        at++;
        token = isAtToken() ? tokenAt(at) : 0;
      }
    }
  }

  Cursor cursor() {
    return new Cursor();
  }

  private long tokenAt(int index) {
    return tokens.getLong((long) Long.BYTES * index);
  }

  boolean contains(long token) {
    return find(token) >= 0;
  }

  private int find(long token) {
    if (size() == 0 || token < least || token > most) {
      return -1;
    }
    long part = (token - least) >>> shift;
    int low = fences.getInt(Integer.BYTES * part);
    int high = fences.getInt(Integer.BYTES * (part + 1)) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = tokenAt(middle);
      if (found == token) {
        return middle;
      }
      if (found < token) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /**
   * Takes tokens out. By one thread at a time, in one pass over the part of the run in which they
   * may be.
   */
  void removeAll(SortedTokenSet others) {
    if (others.size() == 0 || size() == 0) {
      return;
    }
    int from = firstFrom(others.least);
    int to = from;
    LongPredicate isOther = others.asked(size - from);
    int gone = 0;
    boolean hasLeft = from > 0;
    long left = hasLeft ? tokenAt(from - 1) : 0;
    long before = left;
    for (; to < size && tokenAt(to) <= others.most; to++) {
      long token = tokenAt(to);
      boolean isNew = to == 0 || token != before;
      before = token;
      if (!isOther.test(token)) {
        if (!hasLeft) {
          fillDown(to, token);
        }
        hasLeft = true;
        left = token;
      } else {
        gone += isNew ? 1 : 0;
        if (hasLeft) {
          set(to, left); // from the side of the neighbour: sorted after each step
        }
      }
    }
    if (!hasLeft && to < size) {
      fillDown(to, tokenAt(to));
    }
    removed.addAndGet(gone);
  }

  /** What is before {@code end} was taken out. */
  private void fillDown(int end, long token) {
    for (int i = end - 1; i >= 0; i--) {
      set(i, token);
    }
  }

  private void set(int index, long token) {
    tokens.setLong((long) Long.BYTES * index, token);
  }

  /** The first place whose token is not below {@code token}. */
  private int firstFrom(long token) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tokenAt(middle) < token) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Whether a token is in here, to be asked for about {@code times} tokens in their order: beside
   * one another where that is cheaper than to search for each.
   */
  private LongPredicate asked(int times) {
    if (times < size / SEARCH_STEPS) {
      return this::contains;
    }
    Cursor here = cursor();
    return token -> {
      while (here.isAtToken() && here.token() < token) {
        here.next();
      }
      return here.isAtToken() && here.token() == token;
    };
  }

  /** How many tokens there are. */
  public int size() {
    return size - removed.get();
  }

  /** Whether most of the memory holds what was removed. */
  boolean isMostlyRemoved() {
    return removed.get() > size / 2;
  }

  /** How much memory it takes outside the heap. */
  long bytes() {
    return tokens == null ? 0 : tokens.size() + fences.size();
  }

  /** The same set under another name, to be closed on its own. */
  SortedTokenSet share() {
    return tokens == null
        ? this
        : new SortedTokenSet(
            tokens.sharedCopy(), fences.sharedCopy(), size, least, most, shift, removed);
  }

  @Override
  public void close() {
    if (tokens != null) {
      tokens.close();
      fences.close();
    }
  }
}
