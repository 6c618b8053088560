/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;

/**
 * Keys of an engine's entries, in the order in which Cassandra has partitions and rows. No
 * partition's bytes begin with those of another one, and no clustering's either.
 *
 * <pre>
 * 00 ...                      of the table itself; a partition begins with 40
 * partition 00                header: deletions, static row
 * partition 01 clustering     row
 * </pre>
 */
final class EntryKeys {
  // What follows a partition's bytes, as drawn above.
  private static final byte HEADER = 0;
  private static final byte ROW = 1;
  private static final byte BEHIND_ROWS = 2;

  /** Behind all that is the table's own, and before all partitions. */
  static final byte[] FIRST_PARTITION = {1};

  private EntryKeys() {}

  /** What all keys of a partition begin with. */
  static byte[] partition(DecoratedKey key) {
    return key.getPartitioner() instanceof LocalPartitioner
        ? ofIndex(key, ByteSource.TERMINATOR)
        : bytes(key);
  }

  /** Between the entries of partitions before and from {@code position} on, or behind it. */
  static byte[] position(PartitionPosition position, boolean isBefore) {
    if (position.getPartitioner() instanceof LocalPartitioner) {
      boolean isLeast = position instanceof Token.KeyBound bound ? bound.isMinimumBound : isBefore;
      return ofIndex(
          position, isLeast ? ByteSource.LT_NEXT_COMPONENT : ByteSource.GT_NEXT_COMPONENT);
    }
    return bytes(position.asComparableBound(isBefore));
  }

  /**
   * A token of an index is a value of any type. As a blob in the key it can be passed over by who
   * looks for what follows.
   */
  private static byte[] ofIndex(PartitionPosition position, int end) {
    IPartitioner partitioner = position.getPartitioner();
    ByteBuffer value = partitioner.getTokenFactory().toByteArray(position.getToken());
    KeyBytes token =
        new KeyBytes().add(partitioner.getTokenValidator(), value).with(ByteSource.TERMINATOR);
    KeyBytes key = new KeyBytes().add(BytesType.instance, ByteBuffer.wrap(token.toBytes()));
    if (position instanceof DecoratedKey decorated) {
      key.add(BytesType.instance, decorated.getKey());
    }
    return key.with(end).toBytes();
  }

  /** The entries of the partitions in a range; a bound that is the minimum is open. */
  static KeyRange range(AbstractBounds<PartitionPosition> keys) {
    return KeyRange.of(
        keys.left.isMinimum() ? FIRST_PARTITION : position(keys.left, keys.inclusiveLeft()),
        keys.right.isMinimum() ? null : position(keys.right, !keys.inclusiveRight()));
  }

  static byte[] header(byte[] partition) {
    return with(partition, HEADER);
  }

  static byte[] firstRow(byte[] partition) {
    return with(partition, ROW);
  }

  static byte[] row(byte[] partition, ClusteringComparator comparator, Clustering<?> clustering) {
    return prefix(partition, comparator, clustering);
  }

  /** Where rows behind {@code bound} begin, or those before it end; ends may be open. */
  static byte[] bound(byte[] partition, ClusteringComparator comparator, ClusteringBound<?> bound) {
    if (bound.size() == 0) {
      return bound.isStart() ? firstRow(partition) : behindRows(partition);
    }
    return prefix(partition, comparator, bound);
  }

  /** The entries of rows in a slice. */
  static KeyRange slice(byte[] partition, ClusteringComparator comparator, Slice slice) {
    return KeyRange.of(
        bound(partition, comparator, slice.start()), bound(partition, comparator, slice.end()));
  }

  private static byte[] prefix(
      byte[] partition, ClusteringComparator comparator, ClusteringPrefix<?> prefix) {
    KeyBytes key = new KeyBytes().with(partition).with(ROW);
    for (int i = 0; i < prefix.size(); i++) {
      key.add(comparator.subtype(i), prefix.bufferAt(i));
    }
    return key.with(prefix.kind().asByteComparableValue(KeyBytes.ORDER)).toBytes();
  }

  /** The first key that is none of the partition's. */
  static byte[] behindRows(byte[] partition) {
    return with(partition, BEHIND_ROWS);
  }

  static boolean isHeader(byte[] entry, byte[] partition) {
    return entry[partition.length] == HEADER;
  }

  static boolean isOf(byte[] entry, byte[] partition) {
    return entry.length > partition.length
        && Arrays.equals(entry, 0, partition.length, partition, 0, partition.length);
  }

  /** The partition that an entry belongs to. */
  static DecoratedKey partitionOf(byte[] entry, IPartitioner partitioner) {
    if (partitioner instanceof LocalPartitioner) {
      ByteSource.Peekable bytes = ByteSource.peekable(ByteSource.fixedLength(entry));
      nextBlob(bytes); // the token's
      return partitioner.decorateKey(ByteBuffer.wrap(nextBlob(bytes)));
    }
    return BufferDecoratedKey.fromByteComparable(
        ByteComparable.fixedLength(entry), KeyBytes.ORDER, partitioner);
  }

  private static byte[] nextBlob(ByteSource.Peekable bytes) {
    return ByteSourceInverse.getUnescapedBytes(ByteSourceInverse.nextComponentSource(bytes));
  }

  private static byte[] bytes(ByteComparable comparable) {
    return ByteSourceInverse.readBytes(comparable.asComparableBytes(KeyBytes.ORDER));
  }

  private static byte[] with(byte[] partition, byte kind) {
    byte[] key = Arrays.copyOf(partition, partition.length + 1);
    key[partition.length] = kind;
    return key;
  }
}
