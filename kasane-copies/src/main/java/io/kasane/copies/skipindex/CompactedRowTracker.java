/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.KeyIds;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Records, for one compaction, which rows it copied to fast, which copies it dropped, and which
 * rows reads still skip in its output. Used by one thread at a time.
 */
public final class CompactedRowTracker implements AutoCloseable {
  private final Map<Descriptor, WrittenTokens<Descriptor>> outputs = new HashMap<>();
  private final SortedTokenSetBuilder dropped = new SortedTokenSetBuilder();
  private final SkippableRows skippable;
  private final FastCopies fastCopies;
  private final SkipStateTransfer transfer;
  private final boolean copiesOnly;
  private int droppedRows;
  private Set<SSTableReader> announced = Set.of();
  private AutoCloseable sourcesOfDropped = () -> {};

  /**
   * Of a compaction that begins.
   *
   * @param transfer which of its rows reads leave out
   * @param copiesOnly whether all its inputs are copies
   */
  public CompactedRowTracker(
      SkippableRows skippable,
      FastCopies fastCopies,
      SkipStateTransfer transfer,
      boolean copiesOnly) {
    this.skippable = skippable;
    this.fastCopies = fastCopies;
    this.transfer = transfer;
    this.copiesOnly = copiesOnly;
  }

  private WrittenTokens<Descriptor> of(Descriptor slow) {
    return outputs.computeIfAbsent(slow, s -> new WrittenTokens<>());
  }

  /** A row is about to be written to a slow SSTable and was, the same, to fast. */
  public void copied(Descriptor slow, DecoratedKey key) {
    of(slow).copied(KeyIds.of(key));
  }

  /**
   * A row is about to be written. If reads leave it out of all inputs that hold it, it goes to a
   * slow SSTable, and they leave it out there, too.
   */
  public boolean inherits(Descriptor slow, DecoratedKey key) {
    List<Descriptor> inputs = transfer.sourcesOf(key);
    if (!inputs.isEmpty()) {
      of(slow).inherited(KeyIds.of(key), inputs);
    }
    return !inputs.isEmpty();
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

  /** If copies were left out, their sources stand still until {@link #release}. */
  public void holdSourcesOfDropped(Collection<SSTableReader> inputs) {
    if (droppedRows > 0) {
      sourcesOfDropped = fastCopies.holdSourcesOf(inputs);
    }
  }

  /** The outputs are about to be live. */
  public void announce(Set<SSTableReader> inputs, Collection<SSTableReader> outputs) {
    announced = Set.copyOf(inputs);
    skippable.announce(announced, outputs, dropped.build(), copiesOnly);
  }

  /** The compaction fails, whether it was announced or not. */
  public void retract() {
    skippable.retract(announced);
  }

  /** The copies that were left out are gone, or stay. */
  public void release() throws Exception {
    sourcesOfDropped.close();
  }

  /** The copies of this compaction are thrown away. */
  public void withoutCopied() {
    outputs.values().forEach(WrittenTokens::withoutCopied);
  }

  /** Lets reads know; the SSTables are live. */
  public void publish(Collection<SSTableReader> slow, Collection<SSTableReader> fast) {
    Map<Descriptor, SortedTokenSet> copied = new HashMap<>();
    outputs.forEach(
        (output, tokens) -> {
          if (tokens.isSource()) {
            copied.put(output, tokens.allCopied());
          }
        });
    if (!copied.isEmpty()) {
      skippable.copied(copied, Descriptors.of(fast));
    }
    for (SSTableReader output : slow) {
      WrittenTokens<Descriptor> tokens = outputs.get(output.descriptor);
      if (tokens != null && tokens.hasInherited()) {
        skippable.inherited(output.descriptor, tokens.allInherited());
      }
    }
  }

  @Override
  public void close() {
    dropped.close();
    outputs.values().forEach(WrittenTokens::close);
  }
}
