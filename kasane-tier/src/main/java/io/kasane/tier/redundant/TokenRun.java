/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.apache.cassandra.io.util.SafeMemory;

/**
 * A set of tokens, sorted, outside the heap: some 8.2 bytes each. Nothing can be added; {@link
 * #remove} writes a neighbour in the place of a token, so that what is searched meanwhile is sorted
 * at any moment and never moves.
 *
 * <p>Whoever has a run closes it. {@link #share} gives another name to the same set, to be closed
 * on its own; the memory is free when all are closed. Look-ups are safe beside one thread that
 * removes, and not after {@code close}.
 */
public final class TokenRun implements AutoCloseable {
  private static final TokenRun NONE = new TokenRun(null, null, 0, 0, 0, 0, new AtomicInteger());
  private static final int FENCE_TOKENS = 32;

  private final SafeMemory tokens;
  private final SafeMemory fences; // where the tokens of each equal part of the range begin
  private final int size;
  private final long least;
  private final long most;
  private final int shift;
  private final AtomicInteger removed;

  private TokenRun(
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
  public static TokenRun of(long... tokens) {
    if (tokens.length == 0) {
      return NONE;
    }
    try (TokenRunBuilder all = new TokenRunBuilder(tokens.length)) {
      for (long token : tokens) {
        all.add(token);
      }
      return all.build();
    }
  }

  /** Takes over memory that holds {@code size} tokens, one at least, sorted, each once. */
  static TokenRun over(SafeMemory tokens, int size) {
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
    return new TokenRun(tokens, fences, size, least, most, shift, new AtomicInteger());
  }

  /** The tokens of all {@code runs}, which stay; in memory of its own. */
  static TokenRun union(List<TokenRun> runs) {
    if (runs.size() <= 1) {
      return runs.isEmpty() ? NONE : runs.get(0).filter(token -> true);
    }
    int half = runs.size() / 2;
    try (TokenRun one = union(runs.subList(0, half));
        TokenRun other = union(runs.subList(half, runs.size()))) {
      return union(one, other);
    }
  }

  private static TokenRun union(TokenRun one, TokenRun other) {
    try (TokenRunBuilder all = new TokenRunBuilder((long) one.size + other.size)) {
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
  TokenRun filter(LongPredicate keep) {
    try (TokenRunBuilder kept = new TokenRunBuilder(size())) {
      for (Cursor all = cursor(); all.isAtToken(); all.next()) {
        if (keep.test(all.token())) {
          kept.add(all.token());
        }
      }
      return kept.build();
    }
  }

  /** These tokens without those of {@code others}. */
  TokenRun without(TokenRun others) {
    Cursor less = others.cursor();
    return filter(
        token -> {
          while (less.isAtToken() && less.token() < token) {
            less.next();
          }
          return !less.isAtToken() || less.token() != token;
        });
  }

  /** Passes each token once, in order; which of those that are removed meanwhile, is open. */
  final class Cursor {
    private int at;
    private long token;

    private Cursor() {
      at = TokenRun.this.size() == 0 ? size : 0;
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

  /** Takes a token out, if it is there. By one thread at a time. */
  void remove(long token) {
    int found = find(token);
    if (found < 0) {
      return;
    }
    int first = found;
    int last = found;
    while (first > 0 && tokenAt(first - 1) == token) {
      first--;
    }
    while (last < size - 1 && tokenAt(last + 1) == token) {
      last++;
    }
    // From the side of the neighbour, so that what others search is sorted after each step.
    if (first > 0) {
      for (int i = first; i <= last; i++) {
        tokens.setLong((long) Long.BYTES * i, tokenAt(first - 1));
      }
    } else if (last < size - 1) {
      for (int i = last; i >= first; i--) {
        tokens.setLong((long) Long.BYTES * i, tokenAt(last + 1));
      }
    }
    removed.incrementAndGet();
  }

  /** See {@link #remove}. */
  void removeAll(TokenRun others) {
    for (Cursor each = others.cursor(); each.isAtToken(); each.next()) {
      remove(each.token());
    }
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
  TokenRun share() {
    return tokens == null
        ? this
        : new TokenRun(tokens.sharedCopy(), fences.sharedCopy(), size, least, most, shift, removed);
  }

  @Override
  public void close() {
    if (tokens != null) {
      tokens.close();
      fences.close();
    }
  }
}
