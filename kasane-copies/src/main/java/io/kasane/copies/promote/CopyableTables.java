/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.ColumnMetadata;

/** Of which tables rows may be copied. */
public final class CopyableTables {
  private CopyableTables() {}

  /**
   * Whether rows of a table may be copied. Not where replicas compare what is repaired: an SSTable
   * left out would change the digest. Not with vectors: their index wants each cell from the
   * SSTable that it indexed. Not of a materialized view: truncating its base table does not take
   * the lock that keeps {@link CopyTask} out. And only where a token is as good as a key, and the
   * order of tokens that of rows.
   */
  public static boolean contain(ColumnFamilyStore cfs) {
    return cfs.getPartitioner() instanceof Murmur3Partitioner
        && !cfs.metadata().isView()
        && !DatabaseDescriptor.getRepairedDataTrackingForPartitionReadsEnabled()
        && !hasVectors(cfs);
  }

  private static boolean hasVectors(ColumnFamilyStore cfs) {
    for (ColumnMetadata column : cfs.metadata().regularAndStaticColumns()) {
      if (column.type instanceof VectorType) {
        return true;
      }
    }
    return false;
  }
}
