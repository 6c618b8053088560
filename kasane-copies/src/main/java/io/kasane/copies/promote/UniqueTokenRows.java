/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.skipindex.SortedTokenSet;
import io.kasane.copies.skipindex.SortedTokenSetBuilder;
import io.kasane.copies.sstables.KeyIds;
import io.kasane.copies.sstables.TokenCollisions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Copied rows whose token no other row of the source SSTables has. So the token alone identifies
 * the row that reads may skip there. A row that is not alone, one in billions unless somebody has
 * chosen the keys, would be read from slow all the same. Used by one thread.
 */
final class UniqueTokenRows implements AutoCloseable {
  private final BiPredicate<DecoratedKey, Descriptor> isAlone;
  private final Map<Descriptor, SortedTokenSetBuilder> tokens = new HashMap<>();

  /**
   * None yet.
   *
   * @param sources live until {@link #close}
   */
  UniqueTokenRows(List<SSTableReader> sources) {
    Map<Descriptor, SSTableReader> byName = new HashMap<>();
    sources.forEach(source -> byName.put(source.descriptor, source));
    this.isAlone = (key, source) -> TokenCollisions.isAlone(key, byName.get(source));
  }

  /**
   * None yet.
   *
   * @param isAlone whether a source has no other key with a key's token
   */
  UniqueTokenRows(BiPredicate<DecoratedKey, Descriptor> isAlone) {
    this.isAlone = isAlone;
  }

  /** Whether no other row of {@code from} has the key's token, as far as their indexes tell. */
  boolean isAlone(DecoratedKey key, Collection<Descriptor> from) {
    return from.stream().allMatch(source -> isAlone.test(key, source));
  }

  /**
   * All that {@code from} hold of a key that is alone there was copied.
   *
   * @param isSkippable where reads leave it out already, since it was copied before
   */
  void copied(DecoratedKey key, Collection<Descriptor> from, Predicate<Descriptor> isSkippable) {
    for (Descriptor source : from) {
      SortedTokenSetBuilder copied =
          tokens.computeIfAbsent(source, s -> new SortedTokenSetBuilder());
      if (!isSkippable.test(source)) {
        copied.add(KeyIds.of(key));
      }
    }
  }

  /** The tokens of copied rows by SSTable, to be closed by the caller; asked for once. */
  Map<Descriptor, SortedTokenSet> tokens() {
    Map<Descriptor, SortedTokenSet> all = new HashMap<>();
    tokens.forEach((source, added) -> all.put(source, added.build()));
    return all;
  }

  @Override
  public void close() {
    tokens.values().forEach(SortedTokenSetBuilder::close);
  }
}
