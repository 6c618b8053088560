/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.apache.cassandra.utils.ByteBufferUtil.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ClusteringIndexNamesFilter;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table whose partitions have one row each is walked over, and not looked up row by row; every
 * partition comes, so that Cassandra may end a read that finds nothing.
 */
class EntryScanTest extends NaiveRows {
  private static final int PARTITIONS = 100;
  private static final TableMetadata SINGLE_ROWS =
      TableMetadata.builder("ks", "t")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("p", UTF8Type.instance)
          .addRegularColumn("v", UTF8Type.instance)
          .build();

  /** Without what its rows had. */
  private static final TableMetadata DROPPED =
      METADATA
          .unbuild()
          .removeRegularOrStaticColumn(METADATA.getColumn(bytes("v")).name)
          .recordColumnDrop(METADATA.getColumn(bytes("v")), 1_000)
          .build();

  private final CountedTable counted = new CountedTable(table, new ArrayList<>());
  private final RowStore store = new RowStore(counted);

  private static PartitionUpdate row(String key, long timestamp, String value) {
    PartitionUpdate.SimpleBuilder row = update(SINGLE_ROWS, key, timestamp);
    row.row().add("v", value);
    return row.build();
  }

  @Test
  void aTableOfSingleRowsIsOneWalk() {
    for (int i = 0; i < PARTITIONS; i++) {
      merge(store, row("p" + i, 10, "v" + i));
    }
    merge(store, update(SINGLE_ROWS, "p7", 20).delete().build()); // and nothing after it
    merge(store, update(SINGLE_ROWS, "p8", 20).delete().build());
    merge(store, row("p8", 30, "again"));
    counted.reads.clear();

    List<String> values = new ArrayList<>();
    int partitions = 0;
    ClusteringIndexNamesFilter theRow =
        new ClusteringIndexNamesFilter(
            FBUtilities.singleton(Clustering.EMPTY, SINGLE_ROWS.comparator), false);
    try (UnfilteredPartitionIterator scan =
        store.scan(
            SINGLE_ROWS,
            ColumnFilter.all(SINGLE_ROWS),
            new DataRange(DataRange.allData(SINGLE_ROWS.partitioner).keyRange(), theRow))) {
      while (scan.hasNext()) {
        try (UnfilteredRowIterator partition = scan.next()) {
          partitions++;
          partition.forEachRemaining(row -> values.add(row.toString(SINGLE_ROWS, true)));
        }
      }
    }
    assertThat(partitions).as("with one that is deleted").isEqualTo(PARTITIONS);
    assertThat(values)
        .hasSize(PARTITIONS - 1)
        .noneMatch(row -> row.contains("=v7 ") || row.contains("=v8 "))
        .anyMatch(row -> row.contains("again"));
    assertThat(counted.reads).containsExactly("scan");
  }

  private static void mergeRows(RowStore store) {
    for (int i = 0; i < PARTITIONS; i++) {
      PartitionUpdate.SimpleBuilder partition = update("p" + i, 10);
      partition.row(1).noPrimaryKeyLivenessInfo().add("v", "v" + i);
      merge(store, partition.build());
    }
  }

  private int emptyPartitions(TableMetadata metadata, ClusteringIndexFilter filter) {
    int partitions = 0;
    try (UnfilteredPartitionIterator scan =
        store.scan(
            metadata,
            ColumnFilter.all(metadata),
            new DataRange(DataRange.allData(metadata.partitioner).keyRange(), filter))) {
      while (scan.hasNext()) {
        try (UnfilteredRowIterator partition = scan.next()) {
          assertThat(partition.isEmpty()).isTrue();
          partitions++;
        }
      }
    }
    return partitions;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partitionsComeOfWhichNothingIsAskedFor(boolean reversed) {
    mergeRows(store);
    ClusteringIndexNamesFilter anotherRow =
        new ClusteringIndexNamesFilter(
            FBUtilities.singleton(METADATA.comparator.make(7), METADATA.comparator), reversed);
    assertThat(emptyPartitions(METADATA, anotherRow)).isEqualTo(PARTITIONS);
    assertThat(emptyPartitions(METADATA, new ClusteringIndexSliceFilter(Slices.NONE, reversed)))
        .isEqualTo(PARTITIONS);
  }

  @Test
  void partitionsComeOfWhichAllWasDropped() {
    mergeRows(store);
    assertThat(emptyPartitions(DROPPED, new ClusteringIndexSliceFilter(Slices.ALL, false)))
        .isEqualTo(PARTITIONS);
  }

  /** What is asked of an engine's table. */
  private record CountedTable(EngineTable table, List<String> reads) implements EngineTable {
    @Override
    public EngineSnapshot snapshot() {
      return new CountedSnapshot(table.snapshot(), reads);
    }

    @Override
    public void apply(EngineBatch batch) {
      table.apply(batch);
    }

    @Override
    public Size size() {
      return table.size();
    }

    @Override
    public void drop() {
      table.drop();
    }
  }

  private record CountedSnapshot(EngineSnapshot snapshot, List<String> reads)
      implements EngineSnapshot {
    @Override
    public byte[] get(byte[] key) {
      reads.add("get");
      return snapshot.get(key);
    }

    @Override
    public List<byte[]> getAll(List<byte[]> keys) {
      reads.add("getAll");
      return snapshot.getAll(keys);
    }

    @Override
    public EngineCursor scan(KeyRange range, boolean reversed) {
      reads.add("scan");
      return snapshot.scan(range, reversed);
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }
}
