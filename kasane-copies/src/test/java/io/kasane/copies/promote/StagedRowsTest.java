/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.SharedInputs;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SequenceBasedSSTableId;
import org.apache.cassandra.io.sstable.format.big.BigFormat;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StagedRowsTest {
  private static TableMetadata metadata;

  private final StagedRows staged = new StagedRows();
  private final SharedInputs merged = new SharedInputs(Set.of());
  private final DecoratedKey key =
      Murmur3Partitioner.instance.decorateKey(Int32Type.instance.decompose(1));
  private Descriptor older;
  private Descriptor newer;

  @BeforeAll
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
    metadata =
        TableMetadata.builder("ks", "t")
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("p", Int32Type.instance)
            .addRegularColumn("v", Int32Type.instance)
            .build();
  }

  @BeforeEach
  void stage() {
    older = sstable(1);
    newer = sstable(2);
    staged.put(key, older, deletion());
    staged.put(key, newer, deletion());
  }

  /** One part may hold a deletion of what is in the other. */
  @Test
  void shouldLeaveOutAllOrNothingOfARow() {
    long bytes = staged.boundBytes();
    staged.removeIf((sstable, row) -> sstable.equals(older));
    assertThat(staged.holds(key, older)).isTrue();
    assertThat(staged.boundBytes()).isEqualTo(bytes);

    staged.removeIf((sstable, row) -> true);
    assertThat(staged.isEmpty()).isTrue();
    assertThat(staged.boundBytes()).isZero();
  }

  @Test
  void shouldCountOnceWhatIsStagedAgain() {
    long bytes = staged.boundBytes();
    staged.put(key, older, deletion());
    assertThat(staged.boundBytes()).isEqualTo(bytes);
  }

  @Test
  void shouldKnowOfWhichCompactionItHasAll() {
    assertThat(staged.hasAllOf(key, merged)).isFalse();
    staged.putAllOf(key, merged);
    assertThat(staged.hasAllOf(key, merged)).isTrue();
    assertThat(staged.compacted()).isEqualTo(Set.of(merged));
    assertThat(staged.hasAllOf(key, new SharedInputs(Set.of()))).isFalse();
  }

  @Test
  void shouldHandOutOnlyWhatMayBeCopied() {
    assertThat(staged.of((sstable, row) -> sstable.equals(newer)).get(key).keySet())
        .isEqualTo(Set.of(newer));
    assertThat(staged.of((sstable, row) -> false)).isEmpty();
  }

  private ImmutableBTreePartition deletion() {
    PartitionUpdate deleted = PartitionUpdate.fullPartitionDelete(metadata, key, 1, 1);
    try (UnfilteredRowIterator rows = deleted.unfilteredIterator()) {
      return ImmutableBTreePartition.create(rows);
    }
  }

  private static Descriptor sstable(int id) {
    return new Descriptor(
        new File("none"), "ks", "t", new SequenceBasedSSTableId(id), BigFormat.getInstance());
  }
}
