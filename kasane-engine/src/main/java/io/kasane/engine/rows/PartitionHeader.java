/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;

/**
 * What a partition has besides rows.
 *
 * @param deletions of the partition, and of ranges of rows
 * @param staticRow empty if there is none
 */
record PartitionHeader(DeletionInfo deletions, Row staticRow) {
  static final PartitionHeader NONE = new PartitionHeader(DeletionInfo.LIVE, Rows.EMPTY_STATIC_ROW);

  boolean isEmpty() {
    return deletions.isLive() && staticRow.isEmpty();
  }
}
