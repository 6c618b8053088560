/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import org.apache.cassandra.db.compaction.CompactionInterruptedException;

/**
 * The fast disk failed a write, which {@link FastDiskHealth} has been told and the operator with
 * it. To Cassandra it is a compaction that was stopped: its cause would bring in the disk failure
 * policy.
 */
public final class FastDiskException extends CompactionInterruptedException {
  private static final long serialVersionUID = 1L;

  public FastDiskException(Throwable cause) {
    super("the fast disk failed a write: " + cause);
  }
}
