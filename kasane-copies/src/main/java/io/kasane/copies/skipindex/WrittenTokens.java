/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Tokens of rows that a compaction writes to a slow SSTable and that reads may leave out there. The
 * rows come in the order of their tokens. A token that two partitions share is not recorded, so
 * that what is said of a token holds for all its rows. Used by one thread at a time.
 *
 * @param <S> identifies an SSTable
 */
final class WrittenTokens<S> implements AutoCloseable {
  private final SortedTokenSetBuilder copied = new SortedTokenSetBuilder();
  private final Map<S, SortedTokenSetBuilder> inherited = new HashMap<>();
  private boolean isSource;
  private boolean hasRows;
  private long lastToken;

  /** A row is about to be written that was written to fast, too. */
  void copied(long token) {
    isSource = true;
    if (!has(token)) {
      copied.add(token);
    }
  }

  /** A row is about to be written that reads leave out of all {@code inputs} that hold it. */
  void inherited(long token, Collection<S> inputs) {
    if (!has(token)) {
      for (S input : inputs) {
        inherited.computeIfAbsent(input, i -> new SortedTokenSetBuilder()).add(token);
      }
    }
  }

  /** A row was written, whether or not something was said of it before. */
  void written(long token) {
    if (has(token)) {
      copied.removeLast(token);
      inherited.values().forEach(tokens -> tokens.removeLast(token));
    }
    hasRows = true;
    lastToken = token;
  }

  private boolean has(long token) {
    return hasRows && lastToken == token;
  }

  /** The copies are thrown away. */
  void withoutCopied() {
    copied.clear();
    isSource = false;
  }

  /** Whether any row was copied, though of its token nothing may be said. */
  boolean isSource() {
    return isSource;
  }

  /** To be closed by the caller; asked for once, as {@link #allInherited}. */
  SortedTokenSet allCopied() {
    return copied.build();
  }

  boolean hasInherited() {
    return !inherited.isEmpty();
  }

  Map<S, SortedTokenSet> allInherited() {
    Map<S, SortedTokenSet> all = new HashMap<>();
    inherited.forEach((input, tokens) -> all.put(input, tokens.build()));
    return all;
  }

  @Override
  public void close() {
    copied.close();
    inherited.values().forEach(SortedTokenSetBuilder::close);
  }
}
