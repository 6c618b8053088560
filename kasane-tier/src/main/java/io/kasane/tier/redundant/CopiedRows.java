/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import io.kasane.tier.hot.KeyIds;
import io.kasane.tier.sstables.Descriptors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What one compaction has done with rows that lie on both disks. Used by one thread at a time. */
public final class CopiedRows {
  private final Map<Descriptor, List<RowKey>> copied = new HashMap<>();
  private final Map<Descriptor, Map<Descriptor, List<RowKey>>> inherited = new HashMap<>();
  private final List<RowKey> dropped = new ArrayList<>();

  private static RowKey name(DecoratedKey key) {
    return new RowKey(KeyIds.of(key), key.getKey());
  }

  /** A row was written to a slow SSTable and, the same, to fast. */
  public void copied(Descriptor slow, DecoratedKey key) {
    copied.computeIfAbsent(slow, s -> new ArrayList<>()).add(name(key));
  }

  /**
   * A row was written to a slow SSTable; what the inputs hold of it was copied before.
   *
   * @param inputs the slow SSTables that it came from
   */
  public void inherited(Descriptor slow, DecoratedKey key, List<Descriptor> inputs) {
    Map<Descriptor, List<RowKey>> byInput = inherited.computeIfAbsent(slow, s -> new HashMap<>());
    RowKey name = name(key);
    inputs.forEach(input -> byInput.computeIfAbsent(input, i -> new ArrayList<>()).add(name));
  }

  /** A copy was left out of the output. */
  public void dropped(DecoratedKey key) {
    dropped.add(name(key));
  }

  public List<RowKey> allDropped() {
    return dropped;
  }

  /** The copies of this compaction are thrown away. */
  public void withoutCopied() {
    copied.clear();
  }

  /** Lets reads know; the SSTables are live. */
  public void publish(
      LeftOutRows leftOut, Collection<SSTableReader> outputs, Collection<SSTableReader> fast) {
    if (!copied.isEmpty()) {
      leftOut.copied(copied, Descriptors.of(fast));
    }
    for (SSTableReader slow : outputs) {
      Map<Descriptor, List<RowKey>> byInput = inherited.get(slow.descriptor);
      if (byInput != null) {
        leftOut.inherited(slow.descriptor, byInput);
      }
    }
  }
}
