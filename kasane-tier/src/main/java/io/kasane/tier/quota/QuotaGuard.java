/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import java.util.Collection;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableWriter;

/**
 * Keeps the fast writers of one flush or compaction within the quota: before each row it asks for
 * room for all that is written so far plus the row's upper bound, so the limit holds without
 * knowing what is to come. Used by one thread.
 *
 * <p>An SSTable's size while it is written = data on disk + per row its key and at most {@value
 * #INDEX_BYTES_BESIDE_KEY} bytes in the partition index and the filter + per SSTable {@value
 * #FIXED_BYTES_PER_SSTABLE} bytes of other components. Storage-attached indexes write files of
 * their own, most of them at the end: each is taken to be as large as the data uncompressed, since
 * nothing compresses it, with as much per row and SSTable, and there is one more of that for what
 * they share and for tries, where a byte of a text takes two.
 */
public final class QuotaGuard implements AutoCloseable {
  /**
   * The most that an index entry has beside its key: lengths, position, and a part of the filter.
   */
  public static final long INDEX_BYTES_BESIDE_KEY = 24;

  /** Statistics, summary, digest and what file systems round up. */
  private static final long FIXED_BYTES_PER_SSTABLE = 24 << 10;

  /** Cassandra's largest filters have 20 bits a key. */
  private static final long FILTER_BYTES_PER_KEY = 3;

  /** To ask for each row would take the lock of the node. */
  private static final long MAX_STEP_BYTES = 1 << 20;

  private static final int STEPS = 256; // of a small limit, no writer holds more than 0.4 % in vain

  private final FastQuota.Reservation reservation;
  private final int indexParts;
  private final long stepBytes;
  private SSTableWriter writer;
  private long finishedBytes;
  private long rowOverheadBytes;
  private long filterBytes;
  private long askedBytes;

  public QuotaGuard(ColumnFamilyStore cfs, FastQuota.Reservation reservation) {
    this.reservation = reservation;
    this.stepBytes = Math.min(MAX_STEP_BYTES, reservation.limitBytes() / STEPS);
    this.indexParts = indexParts(cfs.indexManager.listIndexGroups());
  }

  /** How many times the data may be written again by indexes. */
  public static int indexParts(Collection<Index.Group> groups) {
    int indexes = 0;
    for (Index.Group group : groups) {
      for (Index index : group.getIndexes()) {
        indexes += index.getComponents().isEmpty() ? 0 : 1;
      }
    }
    return indexes == 0 ? 0 : indexes + 1;
  }

  /**
   * Most bytes of an SSTable on disk.
   *
   * @param onDiskBytes of its data
   * @param uncompressedBytes of its data
   * @param overheadBytes of its rows and its filter
   * @param indexParts see {@link #indexParts}
   */
  public static long boundBytes(
      long onDiskBytes, long uncompressedBytes, long overheadBytes, int indexParts) {
    return onDiskBytes
        + overheadBytes
        + FIXED_BYTES_PER_SSTABLE
        + indexParts * (uncompressedBytes + overheadBytes + FIXED_BYTES_PER_SSTABLE);
  }

  /** Whether a row of at most {@code boundBytes} may be written to the fast disk. */
  public boolean admits(DecoratedKey key, long boundBytes) {
    long row = boundBytes + key.getKeyLength() + INDEX_BYTES_BESIDE_KEY;
    long newSSTable = writer == null ? FIXED_BYTES_PER_SSTABLE : 0;
    if (row < 0 || row > Long.MAX_VALUE / 4 / (1 + indexParts)) {
      return false;
    }
    long written = writtenBytes();
    long wanted = written + (1 + indexParts) * (row + newSSTable);
    if (!reservation.covers(wanted, stepBytes, written)) {
      return false;
    }
    askedBytes = wanted;
    return true;
  }

  /** The most that was asked for and granted so far, bytes. */
  public long askedBytes() {
    return askedBytes;
  }

  /**
   * A new fast SSTable begins; the one before is complete.
   *
   * @param keyCount for which its filter was sized
   */
  public void opened(SSTableWriter next, long keyCount) {
    finishedBytes = writtenBytes();
    rowOverheadBytes = 0;
    filterBytes = FILTER_BYTES_PER_KEY * keyCount;
    writer = next;
    reservation.writes(filePrefix(next.descriptor));
  }

  /** A row was appended to the current writer. */
  public void appended(DecoratedKey key) {
    rowOverheadBytes += key.getKeyLength() + INDEX_BYTES_BESIDE_KEY;
  }

  /** What the SSTables so far take, bytes. */
  public long writtenBytes() {
    return writer == null
        ? finishedBytes
        : finishedBytes
            + boundBytes(
                writer.getEstimatedOnDiskBytesWritten(),
                writer.getFilePointer(),
                filterBytes + rowOverheadBytes,
                indexParts);
  }

  /** How the names of all files of an SSTable begin. */
  static String filePrefix(Descriptor descriptor) {
    return descriptor.baseFile().toAbsolute().path() + "-";
  }

  /** The writers' SSTables have taken the place of what they were merged from. */
  public void replacesMerged() {
    reservation.replacesMerged();
  }

  @Override
  public void close() {
    reservation.close();
  }
}
