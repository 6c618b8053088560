/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** Which rows are one, and which are two, is what Cassandra's types say. */
class RowIdentityTest extends NaiveRows {
  private static final TupleType TUPLE =
      new TupleType(List.of(Int32Type.instance, UTF8Type.instance));
  private static final ByteBuffer TEXT = ByteBufferUtil.bytes("a");
  private static final ByteBuffer EMPTY = ByteBufferUtil.EMPTY_BYTE_BUFFER;

  private final RowStore store = new RowStore(table);

  private static TableMetadata metadata(AbstractType<?> clustering) {
    return TableMetadata.builder("ks", "t")
        .partitioner(Murmur3Partitioner.instance)
        .addPartitionKeyColumn("p", UTF8Type.instance)
        .addClusteringColumn("c", clustering)
        .addRegularColumn("v", UTF8Type.instance)
        .build();
  }

  private void write(TableMetadata metadata, ByteBuffer clustering, String value, long timestamp) {
    PartitionUpdate.SimpleBuilder update = update(metadata, "k", timestamp);
    update.row(clustering).add("v", value);
    merge(store, update.build());
  }

  private void delete(TableMetadata metadata, ByteBuffer clustering, long timestamp) {
    PartitionUpdate.SimpleBuilder update = update(metadata, "k", timestamp);
    update.row(clustering).delete();
    merge(store, update.build());
  }

  /** Values of the rows in slices that are alive. */
  private List<String> read(TableMetadata metadata, Slices slices) {
    List<String> values = new ArrayList<>();
    try (UnfilteredRowIterator rows =
        store.read(
            metadata,
            metadata.partitioner.decorateKey(ByteBufferUtil.bytes("k")),
            slices,
            ColumnFilter.all(metadata),
            false)) {
      while (rows != null && rows.hasNext()) {
        ((Row) rows.next())
            .cells()
            .forEach(cell -> values.add(UTF8Type.instance.compose(cell.buffer())));
      }
    }
    return values;
  }

  private List<String> read(TableMetadata metadata, ByteBuffer clustering) {
    Slice slice = Slice.make(Clustering.make(clustering));
    return read(metadata, Slices.with(metadata.comparator, slice));
  }

  @Test
  void nullsAndEmptyValuesInTuplesAreTwoRows() {
    requireRowsOfTuples(TUPLE);
  }

  @Test
  void nullsAndEmptyValuesInTuplesAreTwoRowsWhereTheOrderIsReversed() {
    requireRowsOfTuples(ReversedType.getInstance(TUPLE));
  }

  private void requireRowsOfTuples(AbstractType<?> type) {
    TableMetadata metadata = metadata(type);
    List<ByteBuffer> clusterings =
        List.of(
            tuple(null, EMPTY),
            tuple(null, TEXT),
            tuple(EMPTY),
            tuple(EMPTY, EMPTY),
            tuple(EMPTY, TEXT));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < clusterings.size(); i++) {
      write(metadata, clusterings.get(i), "v" + i, 10);
      expected.add(type.isReversed() ? 0 : i, "v" + i);
    }
    assertThat(read(metadata, Slices.ALL)).isEqualTo(expected);

    delete(metadata, clusterings.get(1), 20);
    expected.remove("v1");
    assertThat(read(metadata, Slices.ALL)).isEqualTo(expected);
    assertThat(read(metadata, clusterings.get(1))).isEmpty();
    assertThat(read(metadata, clusterings.get(4))).containsExactly("v4");
    ByteBuffer sameAsThird = tuple(EMPTY, null);
    assertThat(read(metadata, sameAsThird)).containsExactly("v2");
    write(metadata, sameAsThird, "v2 again", 30);
    expected.set(expected.indexOf("v2"), "v2 again");
    assertThat(read(metadata, Slices.ALL)).isEqualTo(expected);
  }

  private static ByteBuffer tuple(ByteBuffer... components) {
    return TupleType.buildValue(components);
  }

  @Test
  void notANumberIsOneRow() {
    TableMetadata metadata = metadata(FloatType.instance);
    write(metadata, floats(0x7FC00000), "first", 10);
    write(metadata, floats(0xFFC00001), "second", 20);
    assertThat(read(metadata, Slices.ALL)).containsExactly("second");
    assertThat(read(metadata, floats(0x7F800001))).containsExactly("second");
    write(metadata, FloatType.instance.decompose(Float.POSITIVE_INFINITY), "infinite", 10);
    write(metadata, FloatType.instance.decompose(-0f), "zero below", 10);
    write(metadata, FloatType.instance.decompose(0f), "zero", 10);
    assertThat(read(metadata, Slices.ALL))
        .containsExactly("zero below", "zero", "infinite", "second");
    delete(metadata, floats(0xFFFFFFFF), 30);
    assertThat(read(metadata, Slices.ALL)).containsExactly("zero below", "zero", "infinite");
  }

  private static ByteBuffer floats(int bits) {
    return ByteBufferUtil.bytes(bits);
  }
}
