/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringBoundOrBoundary;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.SerializationHelper;
import org.apache.cassandra.db.rows.UnfilteredSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataInputPlus;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.io.util.DataOutputPlus;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Values of an engine's entries, before they are {@linkplain CompressedValues packed}. Thread-safe.
 *
 * <pre>
 * row      epoch (unsigned vint), then as in an SSTable, with its clustering and 01 behind it
 * header   epoch (unsigned vint), flags (byte),
 *          if flag 1: deletion of the partition,
 *          if flag 2: how many deletions of ranges (unsigned vint), each: start, end, deletion,
 *          if flag 4: static row, as in an SSTable
 * </pre>
 *
 * The clustering is there twice, since not every key can be turned back: decimals that are equal
 * may have other digits.
 */
final class EntryValues {
  /** How Cassandra 5.0 writes a deletion: what is stored stays as it is. */
  private static final int VERSION = MessagingService.VERSION_50;

  // Flags of a header, as drawn above.
  private static final int DELETED = 1;
  private static final int RANGES = 2;
  private static final int STATIC = 4;

  private final EntrySchemas epochs;

  EntryValues(EntrySchemas epochs) {
    this.epochs = epochs;
  }

  /** Something of Cassandra's that writes. */
  private interface Body {
    void write(SerializationHeader header, DataOutputPlus out) throws IOException;
  }

  private byte[] write(int epoch, TableMetadata metadata, Body body) {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      out.writeUnsignedVInt32(epoch);
      body.write(epochs.header(epoch, metadata), out);
      return CompressedValues.pack(out.toByteArray(), metadata.params.compression.isEnabled());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // to memory
    }
  }

  byte[] row(Row row, int epoch, TableMetadata metadata) {
    return write(
        epoch,
        metadata,
        (header, out) -> {
          UnfilteredSerializer.serializer.serialize(
              row, new SerializationHelper(header), out, 0, VERSION);
          // Where all of the row was dropped since, the reader goes on to what follows.
          UnfilteredSerializer.serializer.writeEndOfPartition(out);
        });
  }

  byte[] header(PartitionHeader partition, int epoch, TableMetadata metadata) {
    return write(epoch, metadata, (header, out) -> write(partition, header, out));
  }

  private static void write(
      PartitionHeader partition, SerializationHeader header, DataOutputPlus out)
      throws IOException {
    DeletionInfo deletions = partition.deletions();
    boolean isDeleted = !deletions.getPartitionDeletion().isLive();
    boolean hasStatic = !partition.staticRow().isEmpty();
    out.writeByte(
        (isDeleted ? DELETED : 0)
            | (deletions.hasRanges() ? RANGES : 0)
            | (hasStatic ? STATIC : 0));
    if (isDeleted) {
      header.writeDeletionTime(deletions.getPartitionDeletion(), out);
    }
    if (deletions.hasRanges()) {
      out.writeUnsignedVInt32(deletions.rangeCount());
      for (Iterator<RangeTombstone> ranges = deletions.rangeIterator(false); ranges.hasNext(); ) {
        RangeTombstone range = ranges.next();
        write(range.deletedSlice().start(), header.clusteringTypes(), out);
        write(range.deletedSlice().end(), header.clusteringTypes(), out);
        header.writeDeletionTime(range.deletionTime(), out);
      }
    }
    if (hasStatic) {
      UnfilteredSerializer.serializer.serializeStaticRow(
          partition.staticRow(), new SerializationHelper(header), out, VERSION);
    }
  }

  private static void write(
      ClusteringBound<?> bound, List<AbstractType<?>> types, DataOutputPlus out)
      throws IOException {
    ClusteringBoundOrBoundary.serializer.serialize(bound, out, VERSION, types);
  }

  /** Something of Cassandra's that reads. */
  private interface Reading<T> {
    T read(SerializationHeader header, DeserializationHelper helper, DataInputPlus in)
        throws IOException;
  }

  private <T> T read(byte[] value, TableMetadata metadata, Reading<T> reading) {
    try (DataInputBuffer in = new DataInputBuffer(CompressedValues.unpack(value), false)) {
      SerializationHeader header = epochs.header(in.readUnsignedVInt32(), metadata);
      DeserializationHelper helper =
          new DeserializationHelper(metadata, VERSION, DeserializationHelper.Flag.LOCAL);
      return reading.read(header, helper, in);
    } catch (EngineException e) {
      throw e;
    } catch (IOException | RuntimeException | AssertionError e) { // whatever bytes lead to
      throw new EngineException(Kind.CORRUPT, metadata + ": an entry cannot be read: " + e, e);
    }
  }

  /** The row of an entry; null if all that it has was dropped from the schema. */
  Row row(byte[] value, TableMetadata metadata) {
    return read(
        value,
        metadata,
        (header, helper, in) ->
            (Row)
                UnfilteredSerializer.serializer.deserialize(
                    in, header, helper, BTreeRow.sortedBuilder()));
  }

  PartitionHeader header(byte[] value, TableMetadata metadata) {
    return read(
        value,
        metadata,
        (header, helper, in) -> {
          int flags = in.readUnsignedByte();
          MutableDeletionInfo deletions =
              new MutableDeletionInfo(
                  (flags & DELETED) == 0 ? DeletionTime.LIVE : header.readDeletionTime(in));
          if ((flags & RANGES) != 0) {
            for (int left = in.readUnsignedVInt32(); left > 0; left--) {
              ClusteringBound<?> start = bound(in, header.clusteringTypes());
              ClusteringBound<?> end = bound(in, header.clusteringTypes());
              deletions.add(
                  new RangeTombstone(Slice.make(start, end), header.readDeletionTime(in)),
                  metadata.comparator);
            }
          }
          Row staticRow =
              (flags & STATIC) == 0
                  ? PartitionHeader.NONE.staticRow()
                  : UnfilteredSerializer.serializer.deserializeStaticRow(in, header, helper);
          return new PartitionHeader(deletions, staticRow);
        });
  }

  private static ClusteringBound<?> bound(DataInputPlus in, List<AbstractType<?>> types)
      throws IOException {
    return (ClusteringBound<?>)
        ClusteringBoundOrBoundary.serializer.deserialize(in, VERSION, types);
  }
}
