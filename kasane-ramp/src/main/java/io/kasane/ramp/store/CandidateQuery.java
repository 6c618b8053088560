/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.Set;

/**
 * A question of the second round.
 *
 * @param key whose versions are asked for
 * @param timestamps the transactions that wrote it, or may have
 */
public record CandidateQuery(ItemKey key, Set<Timestamp> timestamps) {
  /** Takes a copy. */
  public CandidateQuery {
    timestamps = Set.copyOf(timestamps);
  }
}
