/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.KeyIds;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What one compaction has done with rows that lie on both disks. Used by one thread at a time. */
public final class CopiedRows implements AutoCloseable {
  private final Map<Descriptor, WrittenTokens<Descriptor>> outputs = new HashMap<>();
  private final SortedTokenSetBuilder dropped = new SortedTokenSetBuilder();
  private int droppedRows;

  private WrittenTokens<Descriptor> of(Descriptor slow) {
    return outputs.computeIfAbsent(slow, s -> new WrittenTokens<>());
  }

  /** A row is about to be written to a slow SSTable and was, the same, to fast. */
  public void copied(Descriptor slow, DecoratedKey key) {
    of(slow).copied(KeyIds.of(key));
  }

  /**
   * A row is about to be written to a slow SSTable; what the inputs hold of it was copied before.
   *
   * @param inputs the slow SSTables that it came from
   */
  public void inherited(Descriptor slow, DecoratedKey key, List<Descriptor> inputs) {
    of(slow).inherited(KeyIds.of(key), inputs);
  }

  /** A row was written to a slow SSTable, copied, inherited or neither. */
  public void written(Descriptor slow, DecoratedKey key) {
    of(slow).written(KeyIds.of(key));
  }

  /** A copy was left out of the output. */
  public void dropped(DecoratedKey key) {
    dropped.add(KeyIds.of(key));
    droppedRows++;
  }

  /** Whether any copy was left out. */
  public boolean hasDropped() {
    return droppedRows > 0;
  }

  /** The tokens of all copies that were left out, to be closed by the caller; asked for once. */
  public SortedTokenSet allDropped() {
    return dropped.build();
  }

  /** The copies of this compaction are thrown away. */
  public void withoutCopied() {
    outputs.values().forEach(WrittenTokens::withoutCopied);
  }

  /** Lets reads know; the SSTables are live. */
  public void publish(
      SkippableRows leftOut, Collection<SSTableReader> slow, Collection<SSTableReader> fast) {
    Map<Descriptor, SortedTokenSet> copied = new HashMap<>();
    outputs.forEach(
        (output, tokens) -> {
          if (tokens.isSource()) {
            copied.put(output, tokens.allCopied());
          }
        });
    if (!copied.isEmpty()) {
      leftOut.copied(copied, Descriptors.of(fast));
    }
    for (SSTableReader output : slow) {
      WrittenTokens<Descriptor> tokens = outputs.get(output.descriptor);
      if (tokens != null && tokens.hasInherited()) {
        leftOut.inherited(output.descriptor, tokens.allInherited());
      }
    }
  }

  @Override
  public void close() {
    dropped.close();
    outputs.values().forEach(WrittenTokens::close);
  }
}
