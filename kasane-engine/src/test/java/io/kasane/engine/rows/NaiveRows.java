/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineTable;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;

/** Rows in sorted maps, whose entries a test can count. */
abstract class NaiveRows {
  /** Entries that a table with rows has besides: what its columns were called. */
  static final int EPOCH = 1;

  static final long NOW_SECOND = 1_000;

  static final TableMetadata METADATA =
      TableMetadata.builder("ks", "t")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("p", UTF8Type.instance)
          .addClusteringColumn("c", Int32Type.instance)
          .addStaticColumn("s", UTF8Type.instance)
          .addRegularColumn("v", UTF8Type.instance)
          .build();

  final EngineTable table =
      new NaiveProvider(1_000)
          .open(
              new EngineOptions(
                  Path.of("none"), 1L << 30, 16L << 20, EngineOptions.Durability.NONE))
          .table("t");

  @BeforeAll
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  static PartitionUpdate.SimpleBuilder update(TableMetadata metadata, String key, long timestamp) {
    return PartitionUpdate.simpleBuilder(metadata, key).timestamp(timestamp).nowInSec(NOW_SECOND);
  }

  static PartitionUpdate.SimpleBuilder update(String key, long timestamp) {
    return update(METADATA, key, timestamp);
  }

  static void merge(RowStore store, PartitionUpdate... updates) {
    Iterator<UnfilteredRowIterator> partitions =
        List.of(updates).stream().map(PartitionUpdate::unfilteredIterator).iterator();
    assertThat(store.merge(updates[0].metadata(), partitions, () -> false)).isTrue();
  }

  long entries() {
    return table.size().entries();
  }
}
