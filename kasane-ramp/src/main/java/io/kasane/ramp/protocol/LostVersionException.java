/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.Set;

/**
 * A transaction was acknowledged and a part of it is at no replica any more: storage was lost, or
 * restored from before. The keys cannot be read together until {@link RampClient#heal} makes a
 * transaction of what is left, or they are written again. Where a session saw what is lost, only a
 * new session forgets it.
 */
public class LostVersionException extends RampException {
  private static final long serialVersionUID = 1;

  private final Timestamp timestamp;
  private final transient Set<ItemKey> lost;
  private final transient Set<ItemKey> survivors;

  /** With the transaction, its keys that are lost, and those that may have survived. */
  public LostVersionException(Timestamp timestamp, Set<ItemKey> lost, Set<ItemKey> survivors) {
    super(
        "transaction "
            + timestamp
            + " wrote "
            + lost
            + ", which is at none of the replicas; of its keys may be left "
            + survivors
            + ": heal it, or write the keys again");
    this.timestamp = timestamp;
    this.lost = Set.copyOf(lost);
    this.survivors = Set.copyOf(survivors);
  }

  /** The transaction. */
  public Timestamp timestamp() {
    return timestamp;
  }

  /** Its keys that no replica has. */
  public Set<ItemKey> lost() {
    return lost;
  }

  /** Its other keys, whose versions are still there unless they were overwritten. */
  public Set<ItemKey> survivors() {
    return survivors;
  }
}
