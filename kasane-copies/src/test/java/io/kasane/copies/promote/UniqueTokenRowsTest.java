/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.skipindex.SortedTokenSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SequenceBasedSSTableId;
import org.apache.cassandra.io.sstable.format.big.BigFormat;
import org.apache.cassandra.io.util.File;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UniqueTokenRowsTest {
  private final DecoratedKey key =
      Murmur3Partitioner.instance.decorateKey(Int32Type.instance.decompose(1));

  @BeforeAll
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  private static Descriptor sstable(int id) {
    return new Descriptor(
        new File("none"), "ks", "t", new SequenceBasedSSTableId(id), BigFormat.getInstance());
  }

  /** What is said of its token would hide the other key's row there. */
  @Test
  void aRowIsNotAloneThatHasATwinInOneOfItsSources() {
    Descriptor alone = sstable(1);
    Descriptor beside = sstable(2);
    try (UniqueTokenRows rows = new UniqueTokenRows((row, source) -> source.equals(alone))) {
      assertThat(rows.isAlone(key, Set.of(alone))).isTrue();
      assertThat(rows.isAlone(key, Set.of(beside))).isFalse();
      assertThat(rows.isAlone(key, List.of(alone, beside))).isFalse();
      assertThat(rows.isAlone(key, List.of(beside, alone))).isFalse();
    }
  }

  @Test
  void whatReadsLeaveOutAlreadyIsNotSaidAgain() {
    Descriptor before = sstable(1);
    Descriptor now = sstable(2);
    try (UniqueTokenRows rows = new UniqueTokenRows((row, source) -> true)) {
      rows.copied(key, List.of(before, now), before::equals);
      Map<Descriptor, SortedTokenSet> tokens = rows.tokens();
      assertThat(tokens.keySet()).as("it is a source all the same").isEqualTo(Set.of(before, now));
      assertThat(tokens.get(before).size()).isZero();
      assertThat(tokens.get(now).size()).isEqualTo(1);
      tokens.values().forEach(SortedTokenSet::close);
    }
  }
}
