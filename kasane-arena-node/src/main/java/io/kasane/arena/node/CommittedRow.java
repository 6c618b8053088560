/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaVersion;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The row of a partition that has its committed version, in a table of versions (docs/design/
 * transactions.md): kind 0, without an item. Items are not here: what is committed of one may lie
 * in several rows.
 */
final class CommittedRow {
  private static final int COMMITTED = 0;
  private static final int CLUSTERINGS = 3;

  /** Timestamp and client, of a version's first bytes. */
  private static final int HEAD_BYTES = 2 * Long.BYTES;

  private final TableMetadata table;
  private final ColumnMetadata body;
  private final Clustering<?> clustering;

  /** A row as it is in the memtable, or was read. */
  sealed interface State {}

  /** Nothing is said of it. */
  record Untouched() implements State {}

  /** It is deleted, will expire, or is nothing that can be read without Cassandra. */
  record Unreadable() implements State {}

  /** It is a version. */
  record Committed(ArenaVersion version) implements State {}

  private static final State UNTOUCHED = new Untouched();
  private static final State UNREADABLE = new Unreadable();

  private CommittedRow(TableMetadata table) {
    this.table = table;
    this.body = table.getColumn(ByteBufferUtil.bytes("body"));
    this.clustering =
        table.comparator.make(
            COMMITTED, ByteBufferUtil.EMPTY_BYTE_BUFFER, ByteBufferUtil.EMPTY_BYTE_BUFFER);
  }

  /**
   * That of a table.
   *
   * @throws IllegalArgumentException if it is no table of versions
   */
  static CommittedRow of(TableMetadata table) {
    boolean isOne =
        table.partitionKeyColumns().size() == 1
            && is(table, "partition", BytesType.instance)
            && table.clusteringColumns().size() == CLUSTERINGS
            && isClustering(table, 0, "kind", Int32Type.instance)
            && isClustering(table, 1, "item", BytesType.instance)
            && isClustering(table, 2, "version", BytesType.instance)
            && is(table, "body", BytesType.instance)
            && table.regularAndStaticColumns().size() == 1;
    if (!isOne) {
      throw new IllegalArgumentException("it is no table of transactions");
    }
    return new CommittedRow(table);
  }

  private static boolean is(TableMetadata table, String name, AbstractType<?> type) {
    ColumnMetadata column = table.getColumn(ByteBufferUtil.bytes(name));
    return column != null && column.type.equals(type);
  }

  private static boolean isClustering(
      TableMetadata table, int place, String name, AbstractType<?> type) {
    ColumnMetadata column = table.clusteringColumns().get(place);
    return column.name.toString().equals(name) && column.type.equals(type);
  }

  /** What an update makes of it, as far as the update alone can tell. */
  State in(PartitionUpdate update) {
    DeletionInfo deletion = update.deletionInfo();
    if (!deletion.getPartitionDeletion().isLive()
        || (deletion.hasRanges() && deletion.rangeCovering(clustering) != null)) {
      return UNREADABLE;
    }
    Row row = update.getRow(clustering);
    return row == null ? UNTOUCHED : state(row);
  }

  /** Reads it from the storage, past the coordinator. */
  State read(DecoratedKey key) {
    long now = FBUtilities.nowInSeconds();
    SinglePartitionReadCommand read =
        SinglePartitionReadCommand.create(table, now, key, clustering);
    try (ReadExecutionController controller = read.executionController();
        PartitionIterator partitions =
            UnfilteredPartitionIterators.filter(read.executeLocally(controller), now)) {
      while (partitions.hasNext()) {
        try (RowIterator rows = partitions.next()) {
          if (rows.hasNext()) {
            return state(rows.next());
          }
        }
      }
    }
    return UNTOUCHED;
  }

  private State state(Row row) {
    Cell<?> cell = row.getCell(body);
    if (!row.deletion().isLive() || cell == null || cell.isTombstone() || cell.isExpiring()) {
      return UNREADABLE;
    }
    ByteBuffer bytes = cell.buffer();
    if (bytes.remaining() < HEAD_BYTES) {
      return UNREADABLE;
    }
    long micros = bytes.getLong(bytes.position());
    long client = bytes.getLong(bytes.position() + Long.BYTES);
    // Cassandra keeps the cell with the highest time; only of what agrees is that the last version.
    return micros == cell.timestamp()
        ? new Committed(new ArenaVersion(micros, client, bytes))
        : UNREADABLE;
  }
}
