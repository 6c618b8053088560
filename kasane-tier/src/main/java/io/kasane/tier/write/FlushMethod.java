/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/** Where the rows of one flush go; chosen when it starts. Used by one thread. */
interface FlushMethod {
  void append(UnfilteredRowIterator partition);

  /** What hot rows asked for on fast and got, bytes; 0 where that says nothing of other flushes. */
  default long hotBytes() {
    return 0;
  }

  /** Whether hot rows asked for more than there was. */
  default boolean hasRefusedHot() {
    return false;
  }
}
