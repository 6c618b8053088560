/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineTable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keys keep Cassandra's order, and values come back as they went in, or as the schema now wants.
 */
class EntriesTest {
  private final EngineTable table = engine().table("t");
  private final EntrySchemas epochs = new EntrySchemas(table);
  private final EntryValues values = new EntryValues(epochs);

  @BeforeAll
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  private static Engine engine() {
    return new NaiveProvider(Integer.MAX_VALUE)
        .open(
            new EngineOptions(Path.of("none"), 1L << 30, 16L << 20, EngineOptions.Durability.NONE));
  }

  private static TableMetadata metadata() {
    return TableMetadata.builder("ks", "t")
        .partitioner(Murmur3Partitioner.instance)
        .addPartitionKeyColumn("p", UTF8Type.instance)
        .addClusteringColumn("c", Int32Type.instance)
        .addClusteringColumn("d", ReversedType.getInstance(DecimalType.instance))
        .addStaticColumn("s", UTF8Type.instance)
        .addRegularColumn("v", UTF8Type.instance)
        .addRegularColumn("w", Int32Type.instance)
        .addRegularColumn("m", MapType.getInstance(UTF8Type.instance, Int32Type.instance, true))
        .addRegularColumn("f", SetType.getInstance(Int32Type.instance, false))
        .build();
  }

  private static ColumnMetadata v(TableMetadata metadata) {
    return metadata.getColumn(ByteBufferUtil.bytes("v"));
  }

  /** After an ALTER TABLE that dropped it, later than most of the rows here were written. */
  private static TableMetadata withoutV(TableMetadata before) {
    return before
        .unbuild()
        .removeRegularOrStaticColumn(v(before).name)
        .recordColumnDrop(v(before), 1_500_000)
        .build();
  }

  private static DecoratedKey key(TableMetadata metadata, String key) {
    return metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key));
  }

  private static BigDecimal decimal(String digits) {
    return new BigDecimal(digits);
  }

  private static PartitionUpdate.SimpleBuilder update(TableMetadata metadata, String key) {
    return PartitionUpdate.simpleBuilder(metadata, key).timestamp(1_000_000).nowInSec(1_000);
  }

  private static List<Row> rows(PartitionUpdate update) {
    List<Row> rows = new ArrayList<>();
    update.iterator().forEachRemaining(rows::add);
    return rows;
  }

  private Row again(Row row, TableMetadata written, TableMetadata read) {
    int epoch = epochs.current(written, written.regularAndStaticColumns());
    return values.row(values.row(row, epoch, written), read);
  }

  @Test
  void rowsComeBackAsTheyWere() {
    TableMetadata metadata = metadata();
    PartitionUpdate.SimpleBuilder update = update(metadata, "k");
    update.row(1, decimal("1.50")).add("v", "text").add("w", 7);
    update.row(1, decimal("-3")).add("m", Map.of("a", 1, "b", 2)).add("f", Set.of(1, 2));
    update.row(2, decimal("0")).ttl(60).add("v", "expires").add("w", null);
    update.row(3, decimal("0")).delete();
    update.row(4, decimal("1E+9")).delete("w").add("v", "x".repeat(100_000));
    List<Row> rows = rows(update.build());
    assertThat(rows).hasSize(5);
    for (Row row : rows) {
      assertThat(again(row, metadata, metadata)).isEqualTo(row);
    }
    assertThat(table.size().entries()).as("one epoch").isOne();
  }

  @Test
  void headersComeBackAsTheyWere() {
    TableMetadata metadata = metadata();
    PartitionUpdate.SimpleBuilder update = update(metadata, "k");
    update.row().add("s", "static");
    update.timestamp(2_000_000).addRangeTombstone().start(1).end(3, decimal("2")).exclEnd();
    update.addRangeTombstone(
        new RangeTombstone(
            Slice.make(
                ClusteringBound.exclusiveStartOf(metadata.comparator.make(7, decimal("1"))),
                ClusteringBound.TOP),
            DeletionTime.build(3_000_000, 1_000)));
    PartitionUpdate all = update.build();
    PartitionHeader header = new PartitionHeader(all.deletionInfo(), all.staticRow());
    assertThat(header.isEmpty()).isFalse();
    int epoch = epochs.current(metadata, all.columns());
    assertThat(values.header(values.header(header, epoch, metadata), metadata)).isEqualTo(header);

    PartitionUpdate deleted = update(metadata, "k").delete().build();
    header = new PartitionHeader(deleted.deletionInfo(), deleted.staticRow());
    assertThat(values.header(values.header(header, epoch, metadata), metadata)).isEqualTo(header);
    assertThat(PartitionHeader.NONE.isEmpty()).isTrue();
  }

  @Test
  void columnsThatWereDroppedAreLeftOut() {
    TableMetadata before = metadata();
    TableMetadata after = withoutV(before);
    PartitionUpdate.SimpleBuilder update = update(before, "k");
    update.row(1, decimal("1")).add("v", "gone").add("w", 1);
    Row row = rows(update.build()).get(0);
    Row read = again(row, before, after);
    assertThat(read.getCell(before.getColumn(ByteBufferUtil.bytes("w")))).isNotNull();
    assertThat(read.columnCount()).isOne();

    // Added again: what was written before the drop stays gone, what comes after it is there.
    TableMetadata again = after.unbuild().addColumn(v(before)).build();
    assertThat(again(row, before, again).columnCount()).isOne();
    PartitionUpdate.SimpleBuilder later = update(again, "k");
    later.timestamp(2_000_000).row(1, decimal("1")).add("v", "new");
    Row added = rows(later.build()).get(0);
    assertThat(again(added, again, again)).isEqualTo(added);
  }

  @Test
  void aRowOfDroppedColumnsOnlyIsNoRow() {
    TableMetadata before = metadata();
    TableMetadata after = withoutV(before);
    PartitionUpdate.SimpleBuilder update = update(before, "k");
    update.row(1, decimal("1")).noPrimaryKeyLivenessInfo().add("v", "gone");
    assertThat(again(rows(update.build()).get(0), before, after)).isNull();
  }

  @Test
  void columnsThatTheSchemaHasLostAreWrittenAllTheSame() {
    TableMetadata before = metadata();
    TableMetadata after = withoutV(before);
    PartitionUpdate.SimpleBuilder update = update(before, "k");
    update.row(1, decimal("1")).add("v", "on its way").add("w", 1);
    PartitionUpdate partition = update.build();
    int epoch = epochs.current(after, partition.columns());
    Row read = values.row(values.row(rows(partition).get(0), epoch, after), after);
    assertThat(read.columnCount()).isOne();
  }

  @Test
  void aReadThatBeganBeforeAColumnWasAddedLeavesItOut() {
    TableMetadata before = metadata();
    TableMetadata after = before.unbuild().addRegularColumn("x", UTF8Type.instance).build();
    PartitionUpdate.SimpleBuilder update = update(after, "k");
    update.row(1, decimal("1")).add("x", "unknown").add("w", 1);
    Row read = again(rows(update.build()).get(0), after, before);
    assertThat(read.getCell(before.getColumn(ByteBufferUtil.bytes("w")))).isNotNull();
  }

  @Test
  void aNumberIsNotGivenTwice() {
    TableMetadata one = metadata().unbuild().addRegularColumn("x", UTF8Type.instance).build();
    TableMetadata other = metadata().unbuild().addRegularColumn("y", UTF8Type.instance).build();
    EntrySchemas second = new EntrySchemas(table);
    int ofOne = epochs.current(one, one.regularAndStaticColumns());
    assertThat(second.current(other, other.regularAndStaticColumns())).isNotEqualTo(ofOne);
    assertThat(second.current(one, one.regularAndStaticColumns())).isEqualTo(ofOne);
  }

  @Test
  void epochsAreThereAfterwards() {
    TableMetadata metadata = metadata();
    TableMetadata wider = metadata.unbuild().addRegularColumn("x", UTF8Type.instance).build();
    int first = epochs.current(metadata, metadata.regularAndStaticColumns());
    int second = epochs.current(wider, wider.regularAndStaticColumns());
    assertThat(second).isNotEqualTo(first);
    assertThat(epochs.current(metadata, metadata.regularAndStaticColumns())).isEqualTo(first);
    EntrySchemas reopened = new EntrySchemas(table);
    assertThat(reopened.current(wider, wider.regularAndStaticColumns())).isEqualTo(second);
    assertThat(table.size().entries()).isEqualTo(2);
    assertThat(reopened.header(first, wider).columns())
        .isEqualTo(metadata.regularAndStaticColumns());
  }

  @Test
  void whatCannotBeReadIsCalledCorrupt() {
    TableMetadata metadata = metadata();
    PartitionUpdate.SimpleBuilder update = update(metadata, "k");
    update.row(1, decimal("1")).add("v", "text");
    int epoch = epochs.current(metadata, metadata.regularAndStaticColumns());
    byte[] value = values.row(rows(update.build()).get(0), epoch, metadata);
    byte[] unknown = value.clone();
    unknown[0] = 99;
    for (byte[] bad : List.of(unknown, Arrays.copyOf(value, value.length / 2), new byte[0])) {
      assertThatExceptionOfType(EngineException.class)
          .isThrownBy(() -> values.row(bad, metadata))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(EngineException.Kind.CORRUPT));
    }
    for (int[] bytes : new int[][] {{0, 2, 1, 99}, {0, 1}, {0, 4, 0}, {0, 2, 255, 255, 255}, {0}}) {
      byte[] bad = new byte[bytes.length];
      for (int i = 0; i < bad.length; i++) {
        bad[i] = (byte) bytes[i];
      }
      assertThatExceptionOfType(EngineException.class)
          .as(Arrays.toString(bytes))
          .isThrownBy(() -> values.header(bad, metadata))
          .satisfies(e -> assertThat(e.kind()).isEqualTo(EngineException.Kind.CORRUPT));
    }
  }

  @Test
  void entriesLieInCassandrasOrder() {
    TableMetadata metadata = metadata();
    List<DecoratedKey> keys = new ArrayList<>();
    for (String key : List.of("", "a", "b", "\0", "\0\0", "a\0", "ab", "long".repeat(10_000))) {
      keys.add(key(metadata, key));
    }
    keys.sort(DecoratedKey.comparator);
    byte[] last = EntryKeys.FIRST_PARTITION;
    for (DecoratedKey key : keys) {
      byte[] partition = EntryKeys.partition(key);
      PartitionUpdate.SimpleBuilder update = update(metadata, "k");
      for (int c : new int[] {Integer.MIN_VALUE, -1, 0, 5}) {
        for (String d : List.of("1E+9", "2", "1.5", "0", "-3")) {
          update.row(c, decimal(d)).add("w", 1);
        }
      }
      List<byte[]> entries = new ArrayList<>(List.of(EntryKeys.header(partition)));
      for (Row row : rows(update.build())) {
        entries.add(EntryKeys.row(partition, metadata.comparator, row.clustering()));
      }
      entries.add(EntryKeys.behindRows(partition));
      for (byte[] entry : entries) {
        assertThat(Arrays.compareUnsigned(last, entry)).isNegative();
        assertThat(EntryKeys.isOf(entry, partition)).isTrue();
        assertThat(EntryKeys.partitionOf(entry, metadata.partitioner)).isEqualTo(key);
        last = entry;
      }
      assertThat(EntryKeys.isHeader(entries.get(0), partition)).isTrue();
      assertThat(EntryKeys.isHeader(entries.get(1), partition)).isFalse();
      assertThat(entries).hasSize(22);
    }
  }

  @Test
  void boundsLieBetweenTheRowsThatTheyPart() {
    TableMetadata metadata = metadata();
    byte[] partition = EntryKeys.partition(key(metadata, "k"));
    PartitionUpdate.SimpleBuilder update = update(metadata, "k");
    for (int c = 0; c < 4; c++) {
      for (String d : List.of("2", "1", "0")) {
        update.row(c, decimal(d)).add("w", 1);
      }
    }
    List<Row> rows = rows(update.build());
    for (Row row : rows) {
      byte[] at = EntryKeys.row(partition, metadata.comparator, row.clustering());
      for (Row other : rows) {
        Slice around = Slice.make(other.clustering());
        for (ClusteringBound<?> bound : List.of(around.start(), around.end())) {
          int order = Integer.signum(metadata.comparator.compare(row.clustering(), bound));
          byte[] key = EntryKeys.bound(partition, metadata.comparator, bound);
          assertThat(Integer.signum(Arrays.compareUnsigned(at, key))).isEqualTo(order);
        }
      }
      for (ClusteringBound<?> open : List.of(ClusteringBound.BOTTOM, ClusteringBound.TOP)) {
        byte[] key = EntryKeys.bound(partition, metadata.comparator, open);
        assertThat(Arrays.compareUnsigned(at, key) > 0).isEqualTo(open.isStart());
      }
    }
  }
}
